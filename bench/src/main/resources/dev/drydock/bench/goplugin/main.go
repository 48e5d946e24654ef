// A device plugin with the least that a kubelet needs, to compare with: one device for each folder in -nics, healthy while
// its link is up. It registers again when the kubelet's socket is made again.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

var (
	kubelet = flag.String("kubelet", api.DevicePluginPath, "the kubelet's folder")
	nics    = flag.String("nics", "/sys/class/cxi", "the folder of the devices")
	poll    = flag.Duration("poll", 30*time.Second, "how often links are looked at")
)

type plugin struct {
	api.UnimplementedDevicePluginServer
}

func devices() *api.ListAndWatchResponse {
	list := &api.ListAndWatchResponse{}
	entries, _ := os.ReadDir(*nics)
	for _, entry := range entries {
		link, _ := os.ReadFile(filepath.Join(*nics, entry.Name(), "device/properties/link"))
		health := api.Unhealthy
		if strings.TrimSpace(string(link)) == "1" {
			health = api.Healthy
		}
		list.Devices = append(list.Devices, &api.Device{ID: entry.Name(), Health: health})
	}
	return list
}

func (plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (plugin) ListAndWatch(_ *api.Empty, stream grpc.ServerStreamingServer[api.ListAndWatchResponse]) error {
	sent := ""
	for {
		if list := devices(); list.String() != sent {
			if err := stream.Send(list); err != nil {
				return err
			}
			sent = list.String()
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-time.After(*poll):
		}
	}
}

func serve() *grpc.Server {
	socket := filepath.Join(*kubelet, "go-plugin.sock")
	os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, plugin{})
	go server.Serve(listener)
	return server
}

func register() error {
	connection, err := grpc.NewClient("unix://"+filepath.Join(*kubelet, "kubelet.sock"),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = api.NewRegistrationClient(connection).Register(ctx, &api.RegisterRequest{
		Version: api.Version, Endpoint: "go-plugin.sock", ResourceName: "hpe.com/cxi"})
	return err
}

func main() {
	flag.Parse()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		log.Fatal(err)
	}
	if err := watcher.Add(*kubelet); err != nil {
		log.Fatal(err)
	}
	server := serve()
	if err := register(); err != nil {
		log.Print(err)
	}
	for event := range watcher.Events {
		if filepath.Base(event.Name) == "kubelet.sock" && event.Has(fsnotify.Create) {
			server.Stop()
			server = serve()
			if err := register(); err != nil {
				log.Print(err)
			}
		}
	}
}

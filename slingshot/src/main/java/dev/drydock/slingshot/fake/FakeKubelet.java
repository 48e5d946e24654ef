package dev.drydock.slingshot.fake;

import static java.util.Objects.requireNonNull;

import dev.drydock.serve.socket.UnixServer;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.slingshot.deviceplugin.DevicePluginApi;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.Device;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.Empty;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ListAndWatchResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.RegisterRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does to a device plugin, ours or another, what a kubelet does: at its start it removes all
 * sockets, and when a plugin registers, it connects to it and watches its devices.
 */
public final class FakeKubelet implements AutoCloseable {
  private final Path folder;
  private final Runnable changed;
  private final UnixServer server;
  private final List<RegisterRequest> registrations = new CopyOnWriteArrayList<>();
  private final List<List<Device>> lists = new CopyOnWriteArrayList<>();
  private volatile @Nullable ManagedChannel plugin;
  private volatile @Nullable ClientCall<Empty, ListAndWatchResponse> watch;
  private volatile boolean refuses;

  private FakeKubelet(Path folder, Runnable changed) throws IOException {
    this.folder = folder;
    this.changed = changed;
    Files.createDirectories(folder);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".sock")).toList()) {
        Files.deleteIfExists(file);
      }
    }
    server =
        UnixServer.listen(
            folder.resolve("kubelet.sock"),
            List.of(
                ServerServiceDefinition.builder(DevicePluginApi.REGISTRATION)
                    .addMethod(DevicePluginApi.REGISTER, ServerCalls.asyncUnaryCall(this::register))
                    .build()));
  }

  /**
   * Starts one.
   *
   * @param folder of device plugins
   * @param changed called when it has received a list of devices
   */
  public static FakeKubelet start(Path folder, Runnable changed) throws IOException {
    return new FakeKubelet(folder, changed);
  }

  private void register(RegisterRequest request, StreamObserver<Empty> to) {
    registrations.add(request);
    if (refuses) {
      to.onError(Status.UNKNOWN.withDescription("refused by a test").asRuntimeException());
      return;
    }
    ManagedChannel channel = UnixSockets.channel(folder.resolve(request.getEndpoint()));
    plugin = channel;
    // it goes on when this call, which it would otherwise end with, is answered
    Context.ROOT.run(() -> watch(channel));
    to.onNext(Empty.getDefaultInstance());
    to.onCompleted();
  }

  private void watch(ManagedChannel channel) {
    ClientCall<Empty, ListAndWatchResponse> call =
        channel.newCall(DevicePluginApi.LIST_AND_WATCH, CallOptions.DEFAULT);
    watch = call;
    ClientCalls.asyncServerStreamingCall(
        call,
        Empty.getDefaultInstance(),
        new StreamObserver<>() {
          @Override
          public void onNext(ListAndWatchResponse response) {
            lists.add(response.getDevicesList());
            changed.run();
          }

          @Override
          public void onError(Throwable failure) {
            // the plugin is gone, or the kubelet
          }

          @Override
          public void onCompleted() {
            // as above
          }
        });
  }

  /** Whether it refuses plugins from now on. */
  public void refuses(boolean does) {
    refuses = does;
  }

  public void stopWatching() {
    requireNonNull(watch, "no plugin has registered").cancel("as asked for", null);
  }

  public List<RegisterRequest> registrations() {
    return registrations;
  }

  /** All lists of devices that it has received. */
  public List<List<Device>> lists() {
    return lists;
  }

  /** The newest list. */
  public List<Device> devices() {
    return lists.isEmpty() ? List.of() : lists.getLast();
  }

  /** The devices as text: id, health, and NUMA node or a dash. */
  public List<String> shown() {
    return devices().stream()
        .map(
            device ->
                "%s %s %s"
                    .formatted(
                        device.getID(),
                        device.getHealth(),
                        device.hasTopology() ? device.getTopology().getNodes(0).getID() : "-"))
        .toList();
  }

  /** Calls the plugin that has registered. */
  public <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
    return ClientCalls.blockingUnaryCall(
        requireNonNull(plugin, "no plugin has registered"),
        method,
        CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.MINUTES),
        request);
  }

  /** Its socket goes, and its connections end. */
  @Override
  public void close() {
    ManagedChannel channel = plugin;
    if (channel != null) {
      channel.shutdownNow();
    }
    server.close();
  }
}

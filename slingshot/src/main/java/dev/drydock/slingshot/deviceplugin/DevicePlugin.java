package dev.drydock.slingshot.deviceplugin;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.kube.LoopFactory;
import dev.drydock.serve.socket.FolderWatch;
import dev.drydock.slingshot.deviceplugin.decide.OfferedNic;
import dev.drydock.slingshot.node.CxiSysfs;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.node.NicWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Offers the NICs of a node to its kubelet, until closed. */
public final class DevicePlugin implements AutoCloseable {
  private final NicWatch nics;
  private final NicInventory inventory;
  private final DevicePluginService service;
  private final KubeletRegistration registration;
  private final PodFiles podFiles;
  private final FolderWatch kubelet;

  /**
   * What is offered, and to whom.
   *
   * @param resource the name of the resource
   * @param capacity pods per NIC, where it is shared
   * @param numaHints whether the kubelet learns the NUMA nodes
   * @param kubelet its folder of device plugins
   * @param poll the longest time between two looks at the NICs
   * @param hysteresis how long a link must be up or down until that counts
   */
  public record Settings(
      String resource,
      SharingMode mode,
      int capacity,
      boolean numaHints,
      Path kubelet,
      HostRoots roots,
      Duration poll,
      Duration hysteresis) {}

  public DevicePlugin(LoopFactory loops, Settings settings) {
    DeviceStreams streams = new DeviceStreams(this::streamEnded);
    service =
        new DevicePluginService(
            new DevicePluginService.DeviceOffer(
                settings.mode(), settings.capacity(), settings.numaHints(), settings.roots().dev()),
            streams);
    NicConditions conditions = new NicConditions(settings.roots());
    nics = new NicWatch(new CxiSysfs(settings.roots()), this::nicsChanged);
    inventory =
        new NicInventory(
            loops,
            () -> {
              nics.keep();
              return conditions.read();
            },
            new NicInventory.Pace(settings.poll(), settings.hysteresis()),
            this::offer);
    registration =
        new KubeletRegistration(
            loops,
            settings.kubelet(),
            new KubeletSocket.InFolder(settings.kubelet()),
            settings.resource(),
            service.definition(),
            streams);
    podFiles =
        new PodFiles(
            loops,
            () -> KubeletCheckpoint.read(settings.kubelet(), settings.resource()),
            settings.roots().runCxi().resolve("pods"));
    kubelet =
        FolderWatch.ofNames(
            settings.kubelet(),
            Files::createDirectories,
            FolderWatch.Listener.waking(this::kubeletChanged));
  }

  /** Registers once the NICs are known. */
  public void start() throws IOException {
    kubelet.start();
    inventory.wake();
  }

  /** The kubelet's socket, ours, or the kubelet's checkpoint. */
  private void kubeletChanged() {
    registration.wake();
    podFiles.wake();
  }

  private void nicsChanged() {
    inventory.wake();
  }

  private void streamEnded() {
    registration.wake();
  }

  private void offer(List<OfferedNic> found) {
    var _ = service.offer(found);
    registration.start();
  }

  /** Why the kubelet does not know the plugin, if so. */
  public Optional<String> unready() {
    return registration.unready();
  }

  @Override
  public void close() {
    kubelet.close();
    nics.close();
    inventory.close();
    podFiles.close();
    registration.close();
  }
}

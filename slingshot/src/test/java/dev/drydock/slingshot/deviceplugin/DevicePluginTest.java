package dev.drydock.slingshot.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.AllocateRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerAllocateRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerAllocateResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerPreferredAllocationRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.Device;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.Empty;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreStartContainerRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreStartContainerResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreferredAllocationRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.RegisterRequest;
import dev.drydock.slingshot.fake.FakeKubelet;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.node.DriverUpdateMarker;
import dev.drydock.slingshot.node.HandlerQuarantine;
import dev.drydock.testkit.Eventually;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin on a fake machine, with a kubelet that does what kubelets do. */
class DevicePluginTest {
  private static final Eventually EVENTUALLY = Eventually.inRealTime();

  private final Path kubeletFolder;
  private final FakeNics machine;
  private final LoopFactory loops = new LoopFactory(TimeSource.REAL);
  private FakeKubelet kubelet;
  private DevicePlugin plugin;

  DevicePluginTest(@TempDir Path folder) throws IOException {
    kubeletFolder = folder.resolve("plugins");
    machine = FakeNics.create(folder.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    kubelet = FakeKubelet.start(kubeletFolder, () -> {});
    plugin = plugin(SharingMode.exclusive, 1, true);
  }

  @BeforeEach
  void addNics() throws IOException {
    machine.add(FakeNic.numbered(0));
    machine.add(FakeNic.numbered(1));
  }

  @AfterEach
  void stop() {
    plugin.close();
    kubelet.close();
  }

  private DevicePlugin plugin(SharingMode mode, int capacity, boolean numaHints) {
    return new DevicePlugin(
        loops,
        new DevicePlugin.Settings(
            "hpe.com/cxi",
            mode,
            capacity,
            numaHints,
            kubeletFolder,
            machine.roots(),
            Duration.ofMillis(50),
            Duration.ofMillis(200)));
  }

  private void start() throws IOException {
    plugin.start();
    EVENTUALLY.until(() -> plugin.unready().isEmpty() && !kubelet.lists().isEmpty());
  }

  private void awaitShown(String... devices) {
    EVENTUALLY.untilAsserted(() -> assertThat(kubelet.shown()).containsExactly(devices));
  }

  private static AllocateRequest allocate(String... ids) {
    return AllocateRequest.newBuilder()
        .addContainerRequests(ContainerAllocateRequest.newBuilder().addAllDevicesIds(List.of(ids)))
        .build();
  }

  @Test
  void itRegistersByTheNameOfItsSocketAndOffersItsDevices() throws IOException {
    start();

    assertThat(kubelet.registrations())
        .containsExactly(
            RegisterRequest.newBuilder()
                .setVersion("v1beta1")
                .setEndpoint("cxi-plugin.sock")
                .setResourceName("hpe.com/cxi")
                .setOptions(DevicePluginService.OPTIONS)
                .build());
    awaitShown("cxi0 Healthy 0", "cxi1 Healthy 1");
    assertThat(kubelet.call(DevicePluginApi.OPTIONS, Empty.getDefaultInstance()))
        .satisfies(
            options -> {
              assertThat(options.getGetPreferredAllocationAvailable()).isTrue();
              assertThat(options.getPreStartRequired()).isFalse();
            });
    assertThat(
            kubelet.call(DevicePluginApi.PRE_START, PreStartContainerRequest.getDefaultInstance()))
        .isEqualTo(PreStartContainerResponse.getDefaultInstance());
  }

  @Test
  void aContainerGetsDeviceFilesAndVariables() throws IOException {
    start();

    ContainerAllocateResponse one =
        kubelet.call(DevicePluginApi.ALLOCATE, allocate("cxi1")).getContainerResponses(0);

    assertThat(one.getEnvsMap())
        .containsOnly(Map.entry("CXI_DEVICE_COUNT", "1"), Map.entry("CXI_DEVICE", "cxi1"));
    assertThat(one.getMountsList()).isEmpty();
    assertThat(one.getDevicesList())
        .singleElement()
        .satisfies(
            device -> {
              assertThat(device.getContainerPath()).isEqualTo("/dev/cxi1");
              assertThat(device.getHostPath()).isEqualTo(machine.roots().device("cxi1").toString());
              assertThat(device.getPermissions()).isEqualTo("rw");
            });
  }

  @Test
  void unknownAndUnhealthyDevicesAreRefused() throws IOException {
    machine.link("cxi1", false);
    start();
    awaitShown("cxi0 Healthy 0", "cxi1 Unhealthy 1");

    for (String id : List.of("cxi1", "cxi9")) {
      assertThatThrownBy(() -> kubelet.call(DevicePluginApi.ALLOCATE, allocate("cxi0", id)))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              refused -> {
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                assertThat(refused.getStatus().getDescription()).contains(id);
              });
    }
  }

  @Test
  void theKubeletIsToldWhatToPrefer() throws IOException {
    machine.add(FakeNic.numbered(2));
    start();

    assertThat(
            kubelet
                .call(
                    DevicePluginApi.PREFERRED,
                    PreferredAllocationRequest.newBuilder()
                        .addContainerRequests(
                            ContainerPreferredAllocationRequest.newBuilder()
                                .addAllAvailableDeviceIDs(List.of("cxi0", "cxi1", "cxi2"))
                                .addMustIncludeDeviceIDs("cxi0")
                                .setAllocationSize(2))
                        .build())
                .getContainerResponses(0)
                .getDeviceIDsList())
        .containsExactly("cxi0", "cxi2");
  }

  @Test
  void aNodeWithoutNicsOffersNothingUntilOneComes() throws IOException {
    machine.remove("cxi0");
    machine.remove("cxi1");
    plugin = plugin(SharingMode.shared, 100, true);
    start();
    assertThat(kubelet.devices()).isEmpty();

    machine.add(FakeNic.numbered(3));

    EVENTUALLY.until(() -> kubelet.devices().size() == 100);
    machine.remove("cxi3");
    EVENTUALLY.until(() -> kubelet.devices().isEmpty());
  }

  @Test
  void sharedUnitsOfANicThatIsDownAreUnhealthyAndTheOthersStay() throws IOException {
    plugin = plugin(SharingMode.shared, 2, true);
    start();
    awaitShown(
        "shared-0 Healthy 0", "shared-1 Healthy 1", "shared-2 Healthy 0", "shared-3 Healthy 1");

    machine.link("cxi1", false);
    awaitShown(
        "shared-0 Healthy 0", "shared-1 Unhealthy 1", "shared-2 Healthy 0", "shared-3 Unhealthy 1");

    machine.link("cxi1", true);
    awaitShown(
        "shared-0 Healthy 0", "shared-1 Healthy 1", "shared-2 Healthy 0", "shared-3 Healthy 1");
  }

  @Test
  void numaNodesCanBeKeptBackAndUnknownOnesAreLeftOut() throws IOException {
    machine.add(FakeNic.numbered(1).withNumaNode(-1));
    plugin.close();
    plugin = plugin(SharingMode.exclusive, 1, true);
    start();
    awaitShown("cxi0 Healthy 0", "cxi1 Healthy -");

    plugin.close();
    plugin = plugin(SharingMode.exclusive, 1, false);
    start();
    awaitShown("cxi0 Healthy -", "cxi1 Healthy -");
  }

  @Test
  void aMissingDeviceFileADriverUpdateAndAQuarantineMakeUnhealthy() throws IOException {
    start();
    Files.delete(machine.roots().device("cxi0"));
    awaitShown("cxi0 Unhealthy 0", "cxi1 Healthy 1");

    new HandlerQuarantine(machine.roots()).begin("cxi1", "cxi_rh was killed by signal 11");
    awaitShown("cxi0 Unhealthy 0", "cxi1 Unhealthy 1");

    machine.add(FakeNic.numbered(0));
    Files.delete(new HandlerQuarantine(machine.roots()).file("cxi1"));
    awaitShown("cxi0 Healthy 0", "cxi1 Healthy 1");

    new DriverUpdateMarker(machine.roots()).set("1.8.3 to 1.9.0");
    awaitShown("cxi0 Unhealthy 0", "cxi1 Unhealthy 1");
    new DriverUpdateMarker(machine.roots()).clear();
    awaitShown("cxi0 Healthy 0", "cxi1 Healthy 1");
  }

  @Test
  void aDriverThatDoesNotShowTheLinkMakesNothingUnhealthy() throws IOException {
    machine.set("cxi0", "properties/link", "");
    start();

    awaitShown("cxi0 Healthy 0", "cxi1 Healthy 1");
  }

  @Test
  void aModuleThatIsNotLoadedMakesUnhealthy() throws IOException {
    start();

    Files.writeString(machine.roots().proc().resolve("modules"), "ext4 1 0 - Live 0x0\n");

    awaitShown("cxi0 Unhealthy 0", "cxi1 Unhealthy 1");
  }

  @Test
  void afterARestartOfTheKubeletItIsKnownAgain() throws IOException {
    start();
    for (int restarts = 0; restarts < 3; restarts++) {
      kubelet.close();
      EVENTUALLY.until(() -> plugin.unready().isPresent());
      kubelet = FakeKubelet.start(kubeletFolder, () -> {});

      awaitShown("cxi0 Healthy 0", "cxi1 Healthy 1");
      EVENTUALLY.until(() -> plugin.unready().isEmpty());
    }
  }

  /** A kubelet that is killed leaves its socket behind, and removes all when it starts again. */
  @Test
  void afterADeathOfTheKubeletItIsKnownAgain() throws IOException {
    start();
    kubelet.stopWatching();
    kubelet.refuses(true);
    EVENTUALLY.until(() -> kubelet.registrations().size() > 1);

    FakeKubelet dead = kubelet;
    kubelet = FakeKubelet.start(kubeletFolder, () -> {});

    awaitShown("cxi0 Healthy 0", "cxi1 Healthy 1");
    EVENTUALLY.until(() -> plugin.unready().isEmpty());
    dead.close();
    assertThat(kubeletFolder.resolve("kubelet.sock")).exists();
  }

  @Test
  void aKubeletThatStopsWatchingIsCalledAgain() throws IOException {
    start();

    kubelet.stopWatching();

    EVENTUALLY.until(() -> kubelet.registrations().size() == 2 && kubelet.lists().size() == 2);
    EVENTUALLY.until(() -> plugin.unready().isEmpty());
  }

  @Test
  void withoutAKubeletItWaitsAndRegistersWhenThereIsOne() throws IOException {
    kubelet.close();
    plugin.start();
    EVENTUALLY.untilAsserted(
        () -> assertThat(plugin.unready()).contains("no kubelet listens in its folder"));

    kubelet = FakeKubelet.start(kubeletFolder, () -> {});

    awaitShown("cxi0 Healthy 0", "cxi1 Healthy 1");
  }

  @Test
  void theSocketGoesWithThePluginAndAStaleOneIsReplaced() throws IOException {
    start();
    Path socket = kubeletFolder.resolve("cxi-plugin.sock");
    assertThat(socket).exists();

    plugin.close();

    assertThat(socket).doesNotExist();
    assertThat(plugin.unready()).isPresent();
  }

  @Test
  void theLargestListIsSent() throws IOException {
    for (int i = 0; i < 16; i++) {
      machine.add(FakeNic.numbered(i));
    }
    plugin = plugin(SharingMode.shared, 1000, true);
    start();

    EVENTUALLY.until(() -> kubelet.devices().size() == 16_000);
    List<String> ids = kubelet.devices().stream().map(Device::getID).toList();
    assertThat(
            kubelet
                .call(DevicePluginApi.ALLOCATE, allocate(ids.toArray(String[]::new)))
                .getContainerResponses(0)
                .getDevicesCount())
        .isEqualTo(16);
  }
}

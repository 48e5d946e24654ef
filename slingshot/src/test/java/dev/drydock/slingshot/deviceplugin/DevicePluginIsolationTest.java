package dev.drydock.slingshot.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.RegisterRequest;
import dev.drydock.slingshot.deviceplugin.decide.NicCondition;
import dev.drydock.slingshot.deviceplugin.decide.OfferedNic;
import dev.drydock.slingshot.deviceplugin.decide.PodFileChanges.Given;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bug in one of the plugin's loops does not stop the others. */
class DevicePluginIsolationTest {
  private static final Eventually EVENTUALLY = Eventually.inRealTime();
  private static final NicCondition NIC = new NicCondition("cxi0", 0, true, Optional.empty());

  private final LoopFactory loops = new LoopFactory(TimeSource.REAL);
  private final LoopBug bug = new LoopBug();
  private final List<OfferedNic> offered = new CopyOnWriteArrayList<>();
  private final List<RegisterRequest> registered = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;

  private NicInventory inventory(Runnable met) {
    return new NicInventory(
        loops,
        () -> {
          met.run();
          return List.of(NIC);
        },
        new NicInventory.Pace(Duration.ofMillis(50), Duration.ZERO),
        offered::addAll);
  }

  private KubeletRegistration registration(Runnable met) {
    DeviceStreams streams = new DeviceStreams(() -> {});
    KubeletSocket kubelet =
        new KubeletSocket() {
          @Override
          public Optional<Object> identity() {
            met.run();
            return Optional.of("kubelet");
          }

          @Override
          public void register(RegisterRequest request) {
            registered.add(request);
          }
        };
    DevicePluginService service =
        new DevicePluginService(
            new DevicePluginService.DeviceOffer(SharingMode.exclusive, 1, true, Path.of("/dev")),
            streams);
    return new KubeletRegistration(
        loops, folder.resolve("plugins"), kubelet, "hpe.com/cxi", service.definition(), streams);
  }

  private PodFiles podFiles(Runnable met) {
    return new PodFiles(
        loops,
        () -> {
          met.run();
          return List.of(new Given("uid-1", List.of("cxi0")));
        },
        folder.resolve("pods"));
  }

  private void registrationWorks() {
    assertThat(registered).isNotEmpty();
  }

  private void devicesAreOffered() {
    assertThat(offered).isNotEmpty();
  }

  private void filesAreWritten() {
    assertThat(folder.resolve("pods/uid-1")).hasContent("cxi0");
  }

  @Test
  void inTheLookAtDevices() {
    try (NicInventory inventory = inventory(bug::strike);
        PodFiles files = podFiles(() -> {})) {
      inventory.wake();
      files.wake();
      bug.staysIn(
          "cxi-nics",
          loops.health(),
          EVENTUALLY,
          () -> {
            filesAreWritten();
            assertThat(offered).isEmpty();
          },
          this::devicesAreOffered);
    }
  }

  @Test
  void inTheRegistration() {
    try (KubeletRegistration registration = registration(bug::strike);
        NicInventory inventory = inventory(() -> {})) {
      registration.start();
      inventory.wake();
      bug.staysIn(
          "cxi-registration",
          loops.health(),
          EVENTUALLY,
          () -> {
            devicesAreOffered();
            assertThat(registered).isEmpty();
          },
          this::registrationWorks);
    }
  }

  @Test
  void inTheFilesOfPods() {
    try (PodFiles files = podFiles(bug::strike);
        KubeletRegistration registration = registration(() -> {})) {
      files.wake();
      registration.start();
      bug.staysIn(
          "cxi-pod-files",
          loops.health(),
          EVENTUALLY,
          () -> {
            registrationWorks();
            assertThat(folder.resolve("pods/uid-1")).doesNotExist();
          },
          this::filesAreWritten);
    }
  }
}

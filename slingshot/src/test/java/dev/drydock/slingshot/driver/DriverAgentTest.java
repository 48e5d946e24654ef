package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDeviceStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport.State;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.resource.CxiResources;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.ProcessDeath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent of a fake machine on a simulated cluster. */
class DriverAgentTest {
  private static final List<String> RELOADED =
      List.of(
          "unload cxi_eth",
          "unload cxi_user",
          "unload cxi_ss1",
          "load cxi_ss1",
          "load cxi_user",
          "load cxi_eth");

  @TempDir private Path folder;
  private DriverAgentFixture fixture;

  @BeforeEach
  void start() {
    fixture = new DriverAgentFixture(folder);
  }

  @AfterEach
  void end() {
    fixture.close();
  }

  private void installed(DriverTarget first) {
    fixture.start(first);
    fixture.awaitState(State.Installed, first);
    fixture.tools.calls.clear();
  }

  /** The operator drains the node, and replaces the agent's pod. */
  private void update(DriverTarget next) {
    fixture.drain(next);
    fixture.start(next);
  }

  @Test
  void aNodeGetsItsDriverAndItsNicsAreReported() {
    DriverTarget first = fixture.driver("1.0.0");
    fixture.start(first);
    fixture.awaitState(State.Installed, first);

    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL)).startsWith("cxi-ss1 1.0.0");
    assertThat(fixture.tools.calls)
        .containsExactly("load cxi_ss1", "load cxi_user", "load cxi_eth");
    assertThat(fixture.report().modules()).contains("cxi_ss1", "cxi_user");
    assertThat(fixture.nodeObject().annotations())
        .containsEntry(CxiNames.INSTALLED_VERSION, "1.0.0")
        .doesNotContainKey(CxiNames.PREVIOUS_VERSION);
    fixture
        .eventually()
        .untilAsserted(
            () -> {
              CXIDeviceStatus device = fixture.device("cxi1");
              assertThat(device.driverVersion()).isEqualTo("1.0.0");
              assertThat(device.driverChecksum()).hasSize(64);
              assertThat(fixture.health("cxi1").status()).isEqualTo(HealthStatus.Healthy);
              assertThat(device.conditions())
                  .anyMatch(
                      each -> each.type().equals("DriverReady") && each.status().equals("True"));
            });
    CXIDeviceStatus device = fixture.device("cxi1");
    assertThat(device.node()).isEqualTo(fixture.node);
    assertThat(device.pciAddress()).isEqualTo("0000:42:00.0");
    assertThat(device.numaNode()).isEqualTo(1);
    assertThat(device.nid()).isEqualTo(0x12341);
    assertThat(device.switchID()).isEqualTo(0x12340);
    assertThat(device.linkSpeed()).isEqualTo("400Gbps");
    assertThat(device.linkState()).isEqualTo(LinkState.up);
    assertThat(device.cassiniGeneration()).isEqualTo(2);
    assertThat(fixture.devices())
        .hasSize(2)
        .allSatisfy(
            each -> {
              assertThat(each.getMetadata().getLabels()).containsEntry(CxiNames.NODE, fixture.node);
              assertThat(each.getMetadata().getOwnerReferences())
                  .singleElement()
                  .satisfies(owner -> assertThat(owner.getName()).isEqualTo(fixture.node));
            });
    assertThat(fixture.nodeObject().labels())
        .containsEntry(CxiNames.PRESENT, "true")
        .containsEntry(CxiNames.DEVICE_COUNT, "2")
        .containsEntry(CxiNames.FIRST_SWITCH, Integer.toString(0x12340));
  }

  @Test
  void nicsComeAndGoAndLinksFlip() throws IOException {
    installed(fixture.driver("1.0.0"));
    fixture.machine.link("cxi0", false);
    fixture.machine.add(FakeNic.numbered(2));
    fixture.machine.remove("cxi1");
    fixture
        .eventually()
        .untilAsserted(
            () -> {
              assertThat(fixture.device("cxi0").linkState()).isEqualTo(LinkState.down);
              assertThat(fixture.health("cxi0").status()).isEqualTo(HealthStatus.Unhealthy);
              assertThat(fixture.devices())
                  .extracting(each -> each.getMetadata().getName())
                  .containsExactlyInAnyOrder(fixture.node + "-cxi0", fixture.node + "-cxi2");
              assertThat(fixture.nodeObject().labels())
                  .doesNotContainKey("slingshot.hpe.com/cxi1-switch-id")
                  .containsKey("slingshot.hpe.com/cxi2-switch-id");
            });
    fixture.machine.link("cxi0", true);
    fixture
        .eventually()
        .untilAsserted(
            () -> {
              assertThat(fixture.health("cxi0").status()).isEqualTo(HealthStatus.Degraded);
              assertThat(fixture.health("cxi0").message())
                  .isEqualTo("the link restarted 1 times since the last check");
              assertThat(fixture.linkFlaps("cxi0")).isEqualTo(1);
            });
    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.health("cxi0").status()).isEqualTo(HealthStatus.Healthy));
    assertThat(fixture.linkFlaps("cxi0")).isEqualTo(1);
  }

  @Test
  void withoutNewsOnlyTheTimeOfTheLastCheckIsWritten() {
    installed(fixture.driver("1.0.0"));
    fixture.cluster.pass(Duration.ofMinutes(1));
    int before = fixture.writes();
    fixture.cluster.pass(Duration.ofMinutes(20));
    assertThat(fixture.writes() - before).as("two devices, every five minutes").isBetween(6, 8);
  }

  @Test
  void aNodeWithADriverIsUpdatedInItsMaintenanceOnly() {
    DriverTarget first = fixture.driver("1.0.0");
    DriverTarget second = fixture.driver("2.0.0");
    installed(first);
    fixture.start(second);
    fixture.cluster.pass(Duration.ofMinutes(10));
    assertThat(fixture.report().revision()).isEqualTo(first.revision());
    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL)).contains("1.0.0");

    fixture.drain(second);
    fixture.cluster.pass(Duration.ofMinutes(10));
    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL))
        .as("this pod is about to be replaced")
        .contains("1.0.0");
    assertThat(fixture.isComplete()).isFalse();

    fixture.start(second);
    fixture.awaitState(State.Installed, second);
    fixture.eventually().until(fixture::isComplete);
    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL)).contains("2.0.0");
    assertThat(fixture.tools.calls).containsExactlyElementsOf(RELOADED);
    assertThat(fixture.report().maintenance()).isEqualTo(fixture.maintenance().uid());
    assertThat(fixture.nodeObject().annotations())
        .containsEntry(CxiNames.INSTALLED_VERSION, "2.0.0")
        .containsEntry(CxiNames.PREVIOUS_VERSION, "1.0.0");
  }

  @Test
  void modulesAreNotReplacedUnderAPodThatUsesThem() throws IOException {
    DriverTarget second = fixture.driver("2.0.0");
    installed(fixture.driver("1.0.0"));
    Path process = fixture.machine.roots().proc().resolve("4711");
    Files.createDirectories(process.resolve("fd"));
    Files.writeString(process.resolve("comm"), "mpi_rank\n");
    Files.writeString(
        process.resolve("cgroup"),
        "0::/kubepods.slice/kubepods-pod01234567_89ab_cdef_0123_456789abcdef.slice/cri-containerd-1.scope\n");
    Files.createSymbolicLink(process.resolve("fd/7"), Path.of("/dev/cxi1"));
    Files.createDirectories(
        fixture.folders().podLogs().resolve("hpc_job-7_01234567-89ab-cdef-0123-456789abcdef"));
    update(second);
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(fixture.report().state()).isEqualTo(State.RebootRequired));
    assertThat(fixture.report().error())
        .isEqualTo("pod hpc/job-7 has /dev/cxi1 open (process 4711, mpi_rank)");
    assertThat(fixture.tools.calls).isEmpty();
    assertThat(fixture.isComplete()).isFalse();

    DurableFiles.deleteTree(process);
    fixture.awaitState(State.Installed, second);
    assertThat(fixture.tools.calls).containsExactlyElementsOf(RELOADED);
    fixture.eventually().until(fixture::isComplete);
  }

  @Test
  void aPodThatHasADeviceIsInTheWayAndSoIsAKubeletThatDoesNotAnswer() {
    DriverTarget second = fixture.driver("2.0.0");
    installed(fixture.driver("1.0.0"));
    fixture.drain(second);
    fixture.start(second, RequestInterceptor.NONE, Optional.of(List.of("hpc/job-8")));
    fixture
        .eventually()
        .untilAsserted(
            () -> assertThat(fixture.report().error()).isEqualTo("pod hpc/job-8 has a device"));
    fixture.start(second, RequestInterceptor.NONE, Optional.empty());
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.report().error())
                    .isEqualTo("the kubelet does not say which pods have devices"));
    assertThat(fixture.tools.calls).isEmpty();
  }

  @Test
  void retryHandlersStopWhileTheDriverIsReplaced() throws IOException {
    DriverTarget second = fixture.driver("2.0.0");
    installed(fixture.driver("1.0.0"));
    Path handler = fixture.machine.roots().proc().resolve("99999999999");
    Files.createDirectories(handler);
    Files.writeString(handler.resolve("cmdline"), "/usr/bin/cxi_rh\0--device=cxi0\0");
    Path marker = fixture.machine.roots().runCxi().resolve("driver-update");
    update(second);
    fixture.eventually().until(() -> Files.exists(marker));
    assertThat(fixture.tools.calls).isEmpty();
    DurableFiles.deleteTree(handler);
    fixture.awaitState(State.Installed, second);
    assertThat(marker).doesNotExist();
  }

  @Test
  void modulesThatStayInUseNeedAReboot() throws IOException {
    DriverTarget second = fixture.driver("2.0.0");
    installed(fixture.driver("1.0.0"));
    fixture.tools.busy.add("cxi_user");
    update(second);
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(fixture.report().state()).isEqualTo(State.RebootRequired));
    assertThat(fixture.report().error()).contains("rmmod cxi_user failed", "is in use");

    // the node boots: the agent starts again, and the kernel has loaded what is in place
    fixture.tools.busy.clear();
    Files.writeString(
        fixture.machine.roots().proc().resolve("sys/kernel/random/boot_id"), "another\n");
    Files.writeString(
        fixture.machine.roots().proc().resolve("stat"),
        "btime %d\n".formatted(Instant.now().getEpochSecond() + 60));
    Files.writeString(
        fixture.machine.roots().proc().resolve("modules"),
        "cxi_user 1 0 - Live 0x0\ncxi_ss1 1 1 cxi_user, Live 0x0\n");
    fixture.start(second);
    fixture.awaitState(State.Installed, second);
    fixture.eventually().until(fixture::isComplete);
  }

  @Test
  void aDriverThatCannotBeLoadedIsRolledBack() {
    DriverTarget first = fixture.driver("1.0.0");
    DriverTarget second = fixture.driver("2.0.0");
    installed(first);
    fixture.tools.unfit.add("cxi_ss1");
    update(second);
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(fixture.report().state()).isEqualTo(State.Failed));
    assertThat(fixture.report().step()).isEqualTo("load cxi_ss1");
    assertThat(fixture.report().error()).contains("LoadFailed", "Exec format error");
    assertThat(fixture.report().revision()).isEqualTo(first.revision());
    fixture.tools.unfit.clear();

    fixture.rollBack("1.0.0");
    fixture.awaitState(State.RolledBack, first);
    assertThat(fixture.report().wanted()).isEqualTo(second.revision());
    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL)).contains("1.0.0");
    assertThat(fixture.isComplete()).as("that is the operator's to say").isFalse();
    fixture.cluster.pass(Duration.ofMinutes(10));
    assertThat(fixture.report().state()).isEqualTo(State.RolledBack);
  }

  @Test
  void aDriverThatFailsItsCheckIsPutBackFromWhatIsOnTheNode() {
    DriverTarget first = fixture.driver("1.0.0");
    DriverTarget second = fixture.driver("2.0.0");
    installed(first);
    update(second);
    fixture.eventually().until(fixture::isComplete);
    fixture.maintenanceState("Validating");
    fixture.modules.close(); // nothing can be downloaded any more
    fixture.tools.calls.clear();
    fixture.rollBack("1.0.0");
    fixture.awaitState(State.RolledBack, first);
    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL)).contains("1.0.0");
    assertThat(fixture.tools.calls).containsExactlyElementsOf(RELOADED);
  }

  @Test
  void modulesThatAreNowhereAreTriedAgain() {
    DriverTarget target = fixture.target("1.0.0");
    fixture.start(target);
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(fixture.report().state()).isEqualTo(State.Failed));
    assertThat(fixture.report().error())
        .startsWith("NoPrebuiltForKernel: ")
        .contains("has no modules of driver 1.0.0 for kernel " + DriverAgentFixture.KERNEL);
    fixture.driver("1.0.0");
    fixture.awaitState(State.Installed, target);
  }

  @Test
  void anotherKernelThanBeforeGetsTheDriverAndANewerOneIsPrepared() throws IOException {
    DriverTarget first = fixture.driver("1.0.0");
    String next = "6.9.0-cxi-amd64";
    Path modules = Files.createDirectories(fixture.machine.roots().modules().resolve(next));
    Files.writeString(modules.resolve("modules.builtin"), "");
    installed(first);
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(condition()).isEqualTo("True NoPrebuiltForKernel"));
    fixture.driver("1.0.0", next);
    fixture.eventually().untilAsserted(() -> assertThat(condition()).isEqualTo("False Ready"));
    assertThat(fixture.inPlace(next)).contains(next);
    assertThat(fixture.tools.calls).as("nothing is loaded for it").isEmpty();

    // the node boots with it
    fixture.modules.close();
    Files.writeString(
        fixture.machine.roots().proc().resolve("version"), "Linux version " + next + " x\n");
    Files.writeString(fixture.machine.roots().proc().resolve("modules"), "");
    fixture.start(first);
    fixture.eventually().until(() -> fixture.tools.calls.contains("load cxi_user"));
    fixture.cluster.pass(Duration.ofMinutes(1));
    assertThat(fixture.report().state()).isEqualTo(State.Installed);
  }

  private String condition() {
    return fixture
        .nodeObject()
        .conditions()
        .get(CxiNames.DRIVER_MISSING)
        .map(each -> Fields.text(each, "status") + " " + Fields.text(each, "reason"))
        .orElse("none");
  }

  @Test
  void theHostsOwnDriverIsLoadedAndKept() {
    DriverTarget host =
        new DriverTarget(
            "host", "1.8.3", SourceType.preinstalled, null, null, null, Platform.cassini, Map.of());
    fixture.tools.unfit.add("cxi_ss1");
    fixture.start(host);
    fixture
        .eventually()
        .untilAsserted(() -> assertThat(fixture.report().state()).isEqualTo(State.Failed));
    fixture.tools.unfit.clear();
    fixture.awaitState(State.Installed, host);
    assertThat(fixture.tools.calls)
        .contains("load cxi_ss1")
        .noneMatch(call -> call.startsWith("unload"));
  }

  /** A process that dies at any of its writes leaves nothing that its successor cannot finish. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAgentMayDieAtAnyWrite(boolean carriesItOut) {
    DriverTarget first = fixture.driver("1.0.0");
    DriverTarget second = fixture.driver("2.0.0");
    int deaths = dyingAt(first, carriesItOut, () -> isInstalled(first));
    assertThat(deaths).isGreaterThan(5);
    fixture.drain(second);
    dyingAt(second, carriesItOut, () -> isInstalled(second) && fixture.isComplete());

    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL)).contains("2.0.0");
    assertThat(fixture.nodeObject().annotations())
        .containsEntry(CxiNames.INSTALLED_VERSION, "2.0.0")
        .containsEntry(CxiNames.PREVIOUS_VERSION, "1.0.0");
    assertThat(fixture.devices()).hasSize(2);
    assertThat(fixture.tools.calls.stream().filter("unload cxi_ss1"::equals)).hasSize(1);
  }

  /** The same while programs of the host run: each agent gets one of them further. */
  @Test
  void anAgentMayDieWhileItReplacesModules() {
    DriverTarget first = fixture.driver("1.0.0");
    DriverTarget second = fixture.driver("2.0.0");
    installed(first);
    fixture.drain(second);
    int deaths = 0;
    boolean done = false;
    while (!done) {
      assertThat(deaths).isLessThan(100);
      AtomicInteger left = new AtomicInteger(deaths);
      fixture.tools.interrupted =
          () -> {
            if (left.getAndDecrement() == 0) {
              fixture.kill();
              throw new ProcessDeath();
            }
          };
      fixture.start(second);
      fixture
          .eventually()
          .until(() -> fixture.isDead() || (isInstalled(second) && fixture.isComplete()));
      done = !fixture.isDead();
      deaths++;
    }
    assertThat(deaths).isGreaterThan(6);
    assertThat(fixture.inPlace(DriverAgentFixture.KERNEL)).contains("2.0.0");
    assertThat(fixture.report().modules()).contains("cxi_ss1", "cxi_user");
  }

  private boolean isInstalled(DriverTarget target) {
    return CxiResources.driverReport(fixture.nodeObject())
        .filter(each -> each.state() == State.Installed)
        .filter(each -> target.revision().equals(each.revision()))
        .isPresent();
  }

  /** One agent after the other, each of which lives for one write longer; until one lives on. */
  private int dyingAt(DriverTarget wanted, boolean carriesItOut, Callable<Boolean> done) {
    for (int write = 1; write < 100; write++) {
      DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
      fixture.start(wanted, dying, Optional.of(List.of()));
      boolean[] finished = new boolean[1];
      fixture
          .eventually()
          .until(
              () -> {
                finished[0] = done.call();
                return dying.isDead() || finished[0];
              });
      if (!dying.isDead()) {
        return write;
      }
    }
    throw new AssertionError("no end");
  }

  @Test
  void aDeviceThatCannotBeWrittenStopsNoOther() {
    LoopBug bug = new LoopBug().atWritesTo("-cxi0");
    DriverTarget first = fixture.driver("1.0.0");
    Kube kube = fixture.start(first, bug, Optional.of(List.of()));
    bug.staysIn(
        "cxi-devices",
        kube,
        fixture.eventually(),
        () -> {
          assertThat(fixture.device("cxi1").linkState()).isEqualTo(LinkState.up);
          assertThat(fixture.devices())
              .noneMatch(
                  each ->
                      each.getMetadata().getName().endsWith("cxi0") && each.getStatus() != null);
        },
        () -> assertThat(fixture.device("cxi0").linkState()).isEqualTo(LinkState.up));
  }

  @Test
  void aReportThatCannotBeWrittenStopsNoDevice() {
    LoopBug bug =
        new LoopBug()
            .at(
                call ->
                    DyingProcess.isWrite(call)
                        && String.valueOf(call.body()).contains(CxiNames.DRIVER_REPORT));
    DriverTarget first = fixture.driver("1.0.0");
    Kube kube = fixture.start(first, bug, Optional.of(List.of()));
    bug.staysIn(
        "cxi-driver-agent",
        kube,
        fixture.eventually(),
        () -> assertThat(fixture.device("cxi0").linkState()).isEqualTo(LinkState.up),
        () -> assertThat(isInstalled(first)).isTrue());
  }
}

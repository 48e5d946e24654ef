package dev.drydock.slingshot.driver;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDeviceStatus;
import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.resource.CxiResources;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopbackServer;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A driver agent of a fake machine on a simulated cluster, with prebuilt modules to install. */
final class DriverAgentFixture implements AutoCloseable {
  static final String NAMESPACE = "slingshot-system";
  static final String KERNEL = FakeNics.KERNEL;

  final TestCluster cluster = TestCluster.simulated();
  final LoopbackServer modules = new LoopbackServer();
  final FakeNics machine;
  final FakeHostTools tools;
  final String node;
  private final Path folder;
  private final TestProcess observer;
  private @Nullable TestProcess process;
  private int pods;
  private final AtomicInteger writes = new AtomicInteger();

  DriverAgentFixture(Path folder) {
    this.folder = folder;
    try {
      machine = FakeNics.create(folder.resolve("machine"), KERNEL, cluster.clock());
      Files.writeString(machine.roots().proc().resolve("modules"), "");
      machine.add(FakeNic.numbered(0));
      machine.add(FakeNic.numbered(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tools = new FakeHostTools(machine);
    cluster.define(CrdCatalog.yaml());
    node = cluster.addNode("node");
    observer = cluster.process();
    eventually().until(() -> cluster.client().resources(CXIDevice.class).list() != null);
    var _ =
        observer
            .kube()
            .http()
            .createOrFind(Resource.NAMESPACES, Resource.NAMESPACES.manifest("", NAMESPACE));
  }

  Eventually eventually() {
    return cluster.eventually().atMost(Duration.ofHours(1));
  }

  /** A driver whose modules can be had for this kernel. */
  DriverTarget driver(String version, String kernel) {
    for (String module : List.of("cxi-ss1", "cxi-user", "cxi-eth")) {
      String path = "/cache/%s/%s/%s.ko".formatted(version, kernel, module);
      modules.handle(
          path,
          exchange -> {
            boolean exact = exchange.getRequestURI().getPath().equals(path);
            LoopbackServer.answer(
                exchange,
                exact ? 200 : 404,
                exact ? "%s %s %s".formatted(module, version, kernel) : "");
          });
    }
    return target(version);
  }

  DriverTarget driver(String version) {
    return driver(version, KERNEL);
  }

  /** One whose modules may be missing. */
  DriverTarget target(String version) {
    modules.handle("/cache", exchange -> LoopbackServer.answer(exchange, 404, ""));
    return new DriverTarget(
        "revision-" + version,
        version,
        SourceType.prebuilt,
        null,
        modules.uri("/cache").toString(),
        null,
        Platform.cassini,
        Map.of());
  }

  AgentFolders folders() {
    return AgentFolders.below(folder.resolve("machine"), machine.roots());
  }

  /** The pod of the agent is replaced by one for this driver. */
  Kube start(DriverTarget wanted, RequestInterceptor interceptor, Optional<List<String>> users) {
    kill();
    pods++;
    TestProcess started = cluster.process(new Counting(interceptor));
    process = started;
    new DriverAgent(
            started.kube(),
            new DriverAgentSettings(
                node, NAMESPACE, "pod-" + pods, wanted, Duration.ofSeconds(30), 0, true, false),
            folders(),
            tools,
            () -> users)
        .start();
    return started.kube();
  }

  private final class Counting implements RequestInterceptor {
    private final RequestInterceptor next;

    Counting(RequestInterceptor next) {
      this.next = next;
    }

    @Override
    public void before(ApiCall call) {
      next.before(call);
      if (DyingProcess.isWrite(call)) {
        writes.incrementAndGet();
      }
    }

    @Override
    public void after(ApiCall call, int code) {
      next.after(call, code);
    }
  }

  int writes() {
    return writes.get();
  }

  Kube start(DriverTarget wanted) {
    return start(wanted, RequestInterceptor.NONE, Optional.of(List.of()));
  }

  /** As {@code kill -9}. */
  void kill() {
    if (process != null) {
      process.kill();
    }
  }

  boolean isDead() {
    return process == null || process.isDead();
  }

  ApiObject nodeObject() {
    return ApiObject.of(observer.kube().http().find(Resource.NODES, "", node).orElseThrow());
  }

  DriverReport report() {
    return CxiResources.driverReport(nodeObject())
        .orElseThrow(() -> new AssertionError("no report"));
  }

  void awaitState(DriverReport.State state, DriverTarget installed) {
    eventually()
        .until(
            this::report,
            each -> each.state() == state && installed.revision().equals(each.revision()));
  }

  List<CXIDevice> devices() {
    return cluster.client().resources(CXIDevice.class).list().getItems();
  }

  CXIDeviceStatus device(String nic) {
    CXIDevice device =
        cluster.client().resources(CXIDevice.class).withName(node + "-" + nic).require();
    if (device.getStatus() == null) {
      throw new AssertionError(nic + " has no status");
    }
    return device.getStatus();
  }

  CXIDeviceStatus.Health health(String nic) {
    return Objects.requireNonNull(device(nic).health());
  }

  Long linkFlaps(String nic) {
    return Objects.requireNonNull(Objects.requireNonNull(device(nic).counters()).linkFlaps());
  }

  /** The operator has drained the node for a roll-out, and replaces the agent's present pod. */
  void drain(DriverTarget wanted) {
    var manifest =
        Resource.namespaced(
                NotifyMaintenance.GROUP,
                NotifyMaintenance.VERSION,
                NotifyMaintenance.PLURAL,
                NotifyMaintenance.KIND)
            .manifest(NAMESPACE, "update");
    manifest
        .withObject("/metadata/annotations")
        .put(
            CxiNames.BEFORE,
            Json.object()
                .put("revision", wanted.revision())
                .put("agent", "pod-" + pods)
                .toString());
    manifest
        .putObject("spec")
        .put("maintenanceID", "update")
        .put("maintenanceType", "planned")
        .put("nodeObject", node);
    var _ = observer.kube().http().createOrFind(CxiResources.MAINTENANCES, manifest);
    maintenanceState("ObjectsDrained");
  }

  void maintenanceState(String state) {
    var _ =
        Patch.sameUid(CxiResources.MAINTENANCES, maintenance())
            .status(status -> status.put("maintenanceStatus", state))
            .send(observer.kube().http());
  }

  void rollBack(String version) {
    var _ =
        Patch.sameUid(CxiResources.MAINTENANCES, maintenance())
            .annotation(CxiNames.ROLLBACK_TO, version)
            .send(observer.kube().http());
  }

  ApiObject maintenance() {
    return ApiObject.of(
        observer.kube().http().find(CxiResources.MAINTENANCES, NAMESPACE, "update").orElseThrow());
  }

  boolean isComplete() {
    return MaintenanceNames.COMPLETE.equals(
        maintenance().annotations().get(MaintenanceNames.MAINTENANCE_CLIENT));
  }

  /** The content of the file that the kernel would load. */
  String inPlace(String kernel) {
    try {
      return Files.readString(
          machine.roots().modules().resolve(kernel).resolve("extra/cxi/cxi-ss1.ko"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
    observer.close();
    cluster.close();
    modules.close();
  }
}

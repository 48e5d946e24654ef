package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.cxi.DriverReport.State;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Typed;
import dev.drydock.kube.Watch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the driver agents' side of a roll-out for all nodes: installs what the agent's pod was made
 * for, at once where no driver is recorded, otherwise only within a drained maintenance of its own
 * namespace that the operator has prepared.
 */
final class StandInDriverAgents implements AutoCloseable {
  static final Resource MAINTENANCES =
      Resource.namespaced("ngn2.nvidia.com", "v1alpha1", "notifymaintenances", "NotifyMaintenance");
  static final Resource DEVICES = Resource.cluster("cxi.hpe.com", "v1", "cxidevices", "CXIDevice");

  /** Revisions whose install fails. */
  final Set<String> broken = ConcurrentHashMap.newKeySet();

  /** Whether every install fails, apart from the first on a node. */
  volatile boolean allBroken;

  /** Revisions whose modules cannot be loaded before the next boot. */
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  /** Revisions after whose install links stay down. */
  final Set<String> deaf = ConcurrentHashMap.newKeySet();

  private final Kube kube;
  private final String namespace;
  private final Duration install;
  private final ControlLoop loop;
  private final Watch<ApiObject> pods;
  private final Watch<ApiObject> nodes;
  private final Watch<ApiObject> maintenances;
  private final Set<String> completed = ConcurrentHashMap.newKeySet();
  private final Map<String, Work> works = new HashMap<>();

  /** What an agent is doing, until when; dropped with its pod. */
  private record Work(String pod, String what, Instant until) {}

  /**
   * @param install how long an install takes
   */
  StandInDriverAgents(Kube kube, String namespace, Duration install) {
    this.kube = kube;
    this.namespace = namespace;
    this.install = install;
    loop = kube.loop("stand-in-agents", this::step);
    pods = watch(Resource.PODS.in(namespace).labelSelector(CxiNames.COMPONENT + "=driver-agent"));
    nodes = watch(Resource.NODES.all());
    maintenances = watch(MAINTENANCES.all());
  }

  /** Modules are in use from now on. */
  void use(String revision) {
    busy.add(revision);
  }

  /** Nodes boot, and nothing uses modules any more. */
  void boot(String revision) {
    busy.remove(revision);
    loop.wake();
  }

  private Watch<ApiObject> watch(Source source) {
    return kube.watches()
        .of(Watch.Kind.of(source, ApiObject::of), Watch.Listener.waking(() -> loop.wake()))
        .start();
  }

  /** Maintenances of this class are complete as soon as their nodes are drained. */
  void complete(String maintenanceClass) {
    completed.add(maintenanceClass);
  }

  private void completeOthers() {
    for (ApiObject each : maintenances.state().items()) {
      if (completed.contains(text(each.spec(), "maintenanceClass"))
          && text(each.status(), "maintenanceStatus").equals("ObjectsDrained")
          && !each.annotations().containsKey(MaintenanceNames.MAINTENANCE_CLIENT)) {
        var _ =
            Patch.sameUid(MAINTENANCES, each)
                .annotation(MaintenanceNames.MAINTENANCE_CLIENT, MaintenanceNames.COMPLETE)
                .sendIfExists(kube.http());
      }
    }
  }

  private Instant step() {
    completeOthers();
    Instant next = Instant.MAX;
    Map<String, ApiObject> byName = new HashMap<>();
    nodes.state().items().forEach(node -> byName.put(node.name(), node));
    for (ApiObject pod : pods.state().items()) {
      ApiObject node = byName.get(text(pod.spec(), "nodeName"));
      if (node != null && !pod.deleted() && text(pod.status(), "phase").equals("Running")) {
        Instant due = serve(pod, node);
        next = due.isBefore(next) ? due : next;
      }
    }
    return next;
  }

  private Instant serve(ApiObject pod, ApiObject node) {
    String wanted = pod.labels().getOrDefault(CxiNames.REVISION_LABEL, "");
    Optional<DriverReport> report = report(node);
    if (report.isEmpty()) {
      return after(pod, node, "first", () -> first(node, wanted));
    }
    Optional<ApiObject> maintenance = drained(node.name());
    if (maintenance.isEmpty()) {
      return Instant.MAX;
    }
    ApiObject found = maintenance.get();
    boolean ours = found.uid().equals(report.get().maintenance());
    State state = ours ? report.get().state() : State.Installing;
    String back = found.annotations().get(CxiNames.ROLLBACK_TO);
    if (back != null && state != State.RolledBack) {
      return after(pod, node, "back", () -> rollBack(node, found, report.get(), back, wanted));
    }
    boolean validating = text(found.status(), "maintenanceStatus").equals("Validating");
    boolean replaced = found.annotations().getOrDefault(CxiNames.BEFORE, "").isEmpty();
    if (state == State.RebootRequired && busy.contains(wanted)) {
      return Instant.MAX;
    }
    if (validating || replaced || state == State.Failed || state == State.RolledBack) {
      return Instant.MAX;
    }
    if (found
        .annotations()
        .getOrDefault(CxiNames.BEFORE, "")
        .contains("\"agent\":\"" + pod.uid() + "\"")) {
      return Instant.MAX; // this pod is about to be replaced
    }
    return after(pod, node, "install", () -> install(node, found, report.get(), wanted));
  }

  private Instant after(ApiObject pod, ApiObject node, String what, Runnable done) {
    Instant now = kube.clock().instant();
    Work work = works.get(node.name());
    if (work == null || !work.pod().equals(pod.uid()) || !work.what().equals(what)) {
      work = new Work(pod.uid(), what, now.plus(install));
      works.put(node.name(), work);
    }
    if (now.isBefore(work.until())) {
      return work.until();
    }
    works.remove(node.name());
    done.run();
    return Instant.MAX;
  }

  private Optional<ApiObject> drained(String node) {
    return maintenances.state().items().stream()
        .filter(each -> each.namespace().equals(namespace))
        .filter(each -> text(each.spec(), "nodeObject").equals(node))
        .filter(each -> each.conditions().get("completed").isEmpty())
        .filter(
            each ->
                List.of("ObjectsDrained", "Validating")
                    .contains(text(each.status(), "maintenanceStatus")))
        .filter(each -> text(each.spec(), "maintenanceClass").contains("-rollout-"))
        .findFirst();
  }

  static Optional<DriverReport> report(ApiObject node) {
    String text = node.annotations().get(CxiNames.DRIVER_REPORT);
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(Typed.read(Json.read(text), DriverReport.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void first(ApiObject node, String revision) {
    device(node.name(), "up");
    write(
        node,
        new DriverReport(
            State.Installed, revision, revision, null, null, modules(), null, null, null, null),
        null);
  }

  private static List<String> modules() {
    return List.of("cxi_ss1", "cxi_user", "cxi_eth");
  }

  private void install(
      ApiObject node, ApiObject maintenance, DriverReport before, String revision) {
    if (allBroken || broken.contains(revision)) {
      write(
          node,
          new DriverReport(
              State.Failed,
              before.revision(),
              before.version(),
              revision,
              maintenance.uid(),
              modules(),
              "build",
              "make failed",
              List.of("cxi_core.c:12: error", "make: *** [all] Error 2"),
              null),
          before.version());
      return;
    }
    if (busy.contains(revision)) {
      write(
          node,
          new DriverReport(
              State.RebootRequired,
              before.revision(),
              before.version(),
              revision,
              maintenance.uid(),
              modules(),
              "load",
              "cxi_ss1 is in use",
              null,
              null),
          before.version());
      return;
    }
    if (deaf.contains(revision)) {
      device(node.name(), "down");
    }
    write(
        node,
        new DriverReport(
            State.Installed,
            revision,
            revision,
            null,
            maintenance.uid(),
            modules(),
            null,
            null,
            null,
            null),
        before.version());
    var _ =
        Patch.sameUid(MAINTENANCES, maintenance)
            .annotation(MaintenanceNames.MAINTENANCE_CLIENT, MaintenanceNames.COMPLETE)
            .sendIfExists(kube.http());
  }

  private void rollBack(
      ApiObject node, ApiObject maintenance, DriverReport before, String version, String wanted) {
    device(node.name(), "up");
    write(
        node,
        new DriverReport(
            State.RolledBack,
            version,
            version,
            wanted,
            maintenance.uid(),
            modules(),
            null,
            before.error(),
            null,
            null),
        null);
  }

  private void write(ApiObject node, DriverReport report, @Nullable String previous) {
    Patch patch =
        Patch.sameUid(Resource.NODES, node)
            .annotation(CxiNames.DRIVER_REPORT, Typed.tree(report).toString())
            .annotation(CxiNames.INSTALLED_VERSION, report.version());
    if (previous != null) {
      patch.annotation(CxiNames.PREVIOUS_VERSION, previous);
    }
    var _ = patch.sendIfExists(kube.http());
  }

  private void device(String node, String link) {
    String name = node + "-cxi0";
    ObjectNode object = Json.object().put("apiVersion", "cxi.hpe.com/v1").put("kind", "CXIDevice");
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    metadata.putObject("labels").put(CxiNames.NODE, node).put(CxiNames.DEVICE, "cxi0");
    object.putObject("spec");
    JsonNode made = kube.http().createOrFind(DEVICES, object).object();
    var _ =
        Patch.sameUid(DEVICES, ApiObject.of(made))
            .status(
                status -> {
                  status.put("node", node).put("device", "cxi0").put("linkState", link);
                  status.put("numaNode", 0);
                  status.putObject("retryHandler").put("enabled", true);
                  status
                      .putObject("health")
                      .put("status", link.equals("up") ? "Healthy" : "Unhealthy");
                })
            .send(kube.http());
  }

  /** What a node's device has counted since its driver was loaded. */
  void counted(String node, int linkFlaps, int pcieErrors, int nacks) {
    var _ =
        Patch.sameUid(
                DEVICES, ApiObject.of(kube.http().find(DEVICES, "", node + "-cxi0").orElseThrow()))
            .status(
                status -> {
                  status
                      .putObject("counters")
                      .put("linkFlaps", linkFlaps)
                      .put("pcieUncorrectable", pcieErrors);
                  status
                      .putObject("retryHandler")
                      .put("enabled", true)
                      .putObject("stats")
                      .put("nackRetries", nacks);
                })
            .send(kube.http());
  }

  @Override
  public void close() {
    loop.close();
    List<Watch<?>> all = new ArrayList<>(List.of(pods, nodes, maintenances));
    all.forEach(Watch::close);
  }
}

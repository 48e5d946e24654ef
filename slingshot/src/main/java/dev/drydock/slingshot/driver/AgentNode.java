package dev.drydock.slingshot.driver;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Latest;
import dev.drydock.kube.NodeConditions;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.kube.Watch;
import dev.drydock.slingshot.driver.decide.AgentMaintenance;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.resource.CxiResources;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The agent's Node, and the maintenance that it is drained for. */
final class AgentNode implements AutoCloseable {
  /** Nobody else writes what the agent reads there, so it is seldom read again. */
  private static final Duration READ_AGAIN = Duration.ofMinutes(10);

  private final Kube kube;
  private final KubeHttp http;
  private final DriverAgentSettings settings;
  private final NodeConditions conditions;
  private final Watch<ApiObject> maintenances;
  private final Latest<ApiObject> latest = new Latest<>();
  private @Nullable ApiObject node;
  private Instant read = Instant.MIN;

  /**
   * @param changed called after each change of a maintenance, on any thread
   */
  AgentNode(Kube kube, DriverAgentSettings settings, Runnable changed) {
    this.kube = kube;
    this.settings = settings;
    http = kube.http();
    conditions = new NodeConditions(kube);
    maintenances =
        kube.watches()
            .of(
                Watch.Kind.of(CxiResources.MAINTENANCES.in(settings.namespace()), this::ofThisNode),
                Watch.Listener.waking(changed));
  }

  private @Nullable ApiObject ofThisNode(JsonNode object) {
    return text(object.path("spec"), "nodeObject").equals(settings.node())
        ? CxiResources.maintenance(object)
        : null;
  }

  void start() {
    var _ = maintenances.start();
  }

  /** Why maintenances are not known, if so: then nothing is decided. */
  Optional<String> unsynced() {
    return maintenances.state().unsynced();
  }

  /** Empty if the cluster has no such node. */
  synchronized Optional<ApiObject> node() {
    Instant now = kube.clock().instant();
    if (node == null || read.plus(READ_AGAIN).isBefore(now)) {
      node = http.find(Resource.NODES, "", settings.node()).map(ApiObject::of).orElse(null);
      read = now;
    }
    return Optional.ofNullable(node);
  }

  private synchronized void wrote(JsonNode object) {
    node = ApiObject.of(object);
  }

  private synchronized void forget() {
    node = null;
  }

  /** The one of a roll-out that the node is drained for; the operator has marked it. */
  private Optional<ApiObject> drained() {
    return latest.of(maintenances.state().items()).stream()
        .filter(each -> !each.deleted() && each.annotations().containsKey(CxiNames.BEFORE))
        .filter(each -> state(each) == MaintenanceState.DRAINED || isValidating(each))
        .min(Comparator.comparing(ApiObject::created).thenComparing(ApiObject::uid));
  }

  private static MaintenanceState state(ApiObject maintenance) {
    return MaintenanceState.of(text(maintenance.status(), "maintenanceStatus"));
  }

  private static boolean isValidating(ApiObject maintenance) {
    return state(maintenance) == MaintenanceState.VALIDATING;
  }

  Optional<AgentMaintenance> maintenance(DriverTarget wanted) {
    return drained()
        .map(
            each ->
                new AgentMaintenance(
                    each.uid(),
                    isValidating(each),
                    isForAnother(each.annotations().getOrDefault(CxiNames.BEFORE, ""), wanted),
                    Optional.ofNullable(each.annotations().get(CxiNames.ROLLBACK_TO))
                        .filter(version -> !version.isEmpty()),
                    MaintenanceNames.COMPLETE.equals(
                        each.annotations().get(MaintenanceNames.MAINTENANCE_CLIENT))));
  }

  /**
   * Whether the pod of this agent is about to be replaced. Without a pod only the revision tells,
   * and an agent of another revision does nothing.
   */
  private boolean isForAnother(String before, DriverTarget wanted) {
    try {
      JsonNode remembered = Json.read(before);
      return settings.podUid().isEmpty()
          ? !text(remembered, "revision").equals(wanted.revision())
          : text(remembered, "agent").equals(settings.podUid());
    } catch (IOException malformed) {
      return true;
    }
  }

  /** The report, and what people and rollbacks read, in one write. */
  void report(ApiObject of, DriverReport report, Optional<String> previousVersion) {
    Patch patch =
        Patch.sameUid(Resource.NODES, of)
            .annotation(CxiNames.DRIVER_REPORT, Typed.tree(report).toString());
    switch (report.state()) {
      case Installed, RolledBack -> patch.annotation(CxiNames.INSTALLED_VERSION, report.version());
      case Installing, Failed, RebootRequired, RollingBack, RollbackFailed -> {}
    }
    previousVersion.ifPresent(version -> patch.annotation(CxiNames.PREVIOUS_VERSION, version));
    send(patch);
  }

  void labels(ApiObject of, Map<String, @Nullable String> labels) {
    Patch patch = Patch.sameUid(Resource.NODES, of);
    labels.forEach(patch::label);
    send(patch);
  }

  /** Another node of the same name is read before it is written. */
  private void send(Patch patch) {
    boolean sent = false;
    try {
      wrote(patch.send(http));
      sent = true;
    } finally {
      if (!sent) {
        forget();
      }
    }
  }

  void condition(ApiObject of, Conditions.Condition condition) {
    if (!of.conditions().says(condition)) {
      wrote(conditions.write(of, of.conditions(), List.of(condition)));
    }
  }

  /** Says that the maintenance is done. */
  void complete(String uid) {
    drained()
        .filter(each -> each.uid().equals(uid))
        .ifPresent(
            each ->
                Patch.sameUid(CxiResources.MAINTENANCES, each)
                    .annotation(MaintenanceNames.MAINTENANCE_CLIENT, MaintenanceNames.COMPLETE)
                    .sendIfExists(http)
                    .map(ApiObject::of)
                    .ifPresentOrElse(latest::wrote, () -> latest.gone(each)));
  }

  @Override
  public void close() {
    maintenances.close();
  }
}

package dev.drydock.bench.rollout;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.Json;
import dev.drydock.kube.Typed;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.call.LocalCalls.Answer;
import dev.drydock.sim.store.ObjectChange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The driver agents of all nodes, which never fail. They act like a program beside the cluster. */
final class ModelDriverAgents {
  private static final String MAINTENANCES =
      NotifyMaintenance.PLURAL + "." + NotifyMaintenance.GROUP;

  /** How long a watch takes. */
  private static final Duration DELAY = Duration.ofMillis(10);

  private final SimulatedCluster cluster;
  private final String namespace;
  private final Function<String, Duration> install;

  /** Names of the nodes' maintenances. */
  private final Map<String, String> maintenances = new HashMap<>();

  /** UIDs of the pods that install or have installed. */
  private final Set<String> installing = new HashSet<>();

  /**
   * @param install how long it takes on a node
   */
  ModelDriverAgents(
      SimulatedCluster cluster, String namespace, Function<String, Duration> install) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.install = install;
    cluster.listen(this::changed);
  }

  private void changed(ObjectChange event) {
    JsonNode object = event.object();
    if (!text(object.path("metadata"), "namespace").equals(namespace)) {
      return;
    }
    if (event.resource().equals(MAINTENANCES)) {
      String node = text(object.path("spec"), "nodeObject");
      maintenances.put(node, text(object.path("metadata"), "name"));
      look(node);
    } else if (event.resource().equals("pods.") && isAgent(object)) {
      look(text(object.path("spec"), "nodeName"));
    }
  }

  private static boolean isAgent(JsonNode pod) {
    return text(pod.path("metadata").path("labels"), CxiNames.COMPONENT).equals("driver-agent");
  }

  private void look(String node) {
    cluster.at("agent of " + node, cluster.now().plus(DELAY), () -> serve(node));
  }

  private void serve(String node) {
    Optional<ObjectNode> pod =
        cluster.podsOn(node).stream()
            .filter(ModelDriverAgents::isAgent)
            .filter(each -> !each.path("metadata").has("deletionTimestamp"))
            .findFirst();
    ObjectNode there = cluster.find("Node", "", node);
    if (pod.isEmpty() || there == null) {
      return;
    }
    JsonNode metadata = pod.get().path("metadata");
    String wanted = text(metadata.path("labels"), CxiNames.REVISION_LABEL);
    if (!there.path("metadata").path("annotations").has(CxiNames.DRIVER_REPORT)) {
      device(node);
      report(node, wanted, null);
      return;
    }
    ObjectNode maintenance =
        cluster.find(NotifyMaintenance.KIND, namespace, maintenances.getOrDefault(node, "none"));
    String uid = text(metadata, "uid");
    if (maintenance != null && isPrepared(maintenance, uid) && installing.add(uid)) {
      cluster.at(
          "install on " + node,
          cluster.now().plus(install.apply(node)),
          () -> complete(node, wanted, maintenance.path("metadata")));
    }
  }

  /** Drained, and with the operator's annotation, which names the pod that is to be replaced. */
  private static boolean isPrepared(JsonNode maintenance, String pod) {
    String state = text(maintenance.path("status"), "maintenanceStatus");
    String before = text(maintenance.path("metadata").path("annotations"), CxiNames.BEFORE);
    try {
      return state.equals(MaintenanceState.DRAINED.text())
          && !before.isEmpty()
          && !text(Json.read(before), "agent").equals(pod);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void complete(String node, String revision, JsonNode maintenance) {
    report(node, revision, text(maintenance, "uid"));
    annotate(
        NotifyMaintenance.KIND,
        namespace,
        text(maintenance, "name"),
        MaintenanceNames.MAINTENANCE_CLIENT,
        MaintenanceNames.COMPLETE);
  }

  private void report(String node, String revision, @Nullable String maintenance) {
    DriverReport report =
        new DriverReport(
            DriverReport.State.Installed,
            revision,
            revision,
            null,
            maintenance,
            List.of("cxi_ss1", "cxi_user", "cxi_eth"),
            null,
            null,
            null,
            null);
    annotate("Node", "", node, CxiNames.DRIVER_REPORT, Typed.tree(report).toString());
  }

  private void annotate(String kind, String in, String name, String key, String value) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").putObject("annotations").put(key, value);
    done(cluster.patch(kind, in, name, "", patch));
  }

  private void device(String node) {
    String name = node + "-cxi0";
    ObjectNode device = Json.object().put("apiVersion", "cxi.hpe.com/v1").put("kind", "CXIDevice");
    ObjectNode metadata = device.putObject("metadata").put("name", name);
    metadata.putObject("labels").put(CxiNames.NODE, node).put(CxiNames.DEVICE, "cxi0");
    device.putObject("spec");
    done(cluster.create(device));
    ObjectNode patch = Json.object();
    ObjectNode status = patch.putObject("status").put("node", node).put("device", "cxi0");
    status.put("linkState", "up");
    status.putObject("retryHandler").put("enabled", true);
    status.putObject("health").put("status", "Healthy");
    done(cluster.patch(CXIDevice.KIND, "", name, "status", patch));
  }

  private static void done(Answer answer) {
    if (!answer.isSuccess()) {
      throw new IllegalStateException(answer.body().toString());
    }
  }
}

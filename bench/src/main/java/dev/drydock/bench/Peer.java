package dev.drydock.bench;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.nio.file.Path;
import java.util.List;

/** A program that drains nodes, started as a user would start it. */
interface Peer {
  String name();

  /** The command that drains these nodes and returns when they are empty. */
  List<String> drain(List<String> nodes);

  /**
   * The steps, each a list of concurrent commands, that take maintenances from creation to
   * Scheduled; or the one command that does so as long as it runs.
   */
  List<List<List<String>>> schedule(Maintenances maintenances);

  /** Whether it must run before there is anything to schedule, and does not end by itself. */
  boolean serves();

  /** A merge patch; the subresource may be empty. */
  record Patch(String subresource, String body) {
    /** The minimum that takes a maintenance to Scheduled. */
    static final List<Patch> TO_SCHEDULED =
        List.of(
            new Patch(
                "",
                "{\"metadata\":{\"labels\":{\"%s\":\"\"},\"finalizers\":[\"%s\"]}}"
                    .formatted(
                        MaintenanceNames.label(MaintenancesBenchmark.ID),
                        MaintenanceNames.FINALIZER)),
            new Patch(
                "status",
                "{\"status\":{\"maintenanceStatus\":\"%s\"}}"
                    .formatted(MaintenanceState.SCHEDULED.text())));
  }

  /** Maintenances that exist or are about to be created. */
  record Maintenances(String namespace, List<String> names) {
    Maintenances part(int from, int count) {
      return new Maintenances(namespace, names.subList(from, Math.min(names.size(), from + count)));
    }
  }

  /** The command that serves the DrainRequests of a cluster as long as it runs. */
  List<String> operator(String namespace);

  /** The command that serves the LifecycleEvents of a node as long as it runs. */
  List<String> agent(AgentNode agentNode);

  /** The command that drains a node before its machine goes down, with its records in a folder. */
  List<String> edgeAgent(String node, Path folder);

  /**
   * Where an agent runs.
   *
   * @param folder of the node's kubelet, with the plugins' sockets
   * @param claims whether it also claims events; otherwise another claimer does
   */
  record AgentNode(String node, String namespace, Path folder, boolean claims) {
    Path plugins() {
      return folder.resolve("plugins");
    }

    Path registrations() {
      return folder.resolve("registry");
    }
  }

  /** The program's version text. */
  String version();

  /** Triggers a garbage collection in a running process, if possible. */
  void collectGarbage(long pid);
}

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
   * Steps, one after the other, of commands at once, that take maintenances from their creation to
   * Scheduled; or the one command that does so as long as it runs.
   */
  List<List<List<String>>> schedule(Maintenances maintenances);

  /** Whether it must run before there is anything to schedule, and has no end. */
  boolean serves();

  /** A merge patch; the subresource may be empty. */
  record Patch(String subresource, String body) {
    /** The least that takes a maintenance to Scheduled. */
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

  /** Maintenances that exist, or are about to. */
  record Maintenances(String namespace, List<String> names) {
    Maintenances part(int from, int count) {
      return new Maintenances(namespace, names.subList(from, Math.min(names.size(), from + count)));
    }
  }

  /** The command that serves the DrainRequests of a cluster as long as it runs. */
  List<String> operator(String namespace);

  /** The command that serves the LifecycleEvents of a node as long as it runs. */
  List<String> agent(AgentNode agentNode);

  /**
   * Where an agent works.
   *
   * @param folder of the node's kubelet, with the sockets of plugins
   * @param claims whether it also plays the kubelet's part, which is otherwise somebody else's
   */
  record AgentNode(String node, String namespace, Path folder, boolean claims) {
    Path plugins() {
      return folder.resolve("plugins");
    }

    Path registrations() {
      return folder.resolve("registry");
    }
  }

  /** How the program calls its version. */
  String version();

  /** Has a running process give up memory that holds only garbage, where it can be asked to. */
  void collectGarbage(long pid);
}

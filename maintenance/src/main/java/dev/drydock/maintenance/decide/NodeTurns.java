package dev.drydock.maintenance.decide;

import dev.drydock.drain.hold.decide.Hold;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Maintenances with a class take turns on a node: one drains it and works on it until it has ended,
 * and the others wait. Maintenances without a class are moved by others and wait for nobody.
 */
public final class NodeTurns {
  private static final Comparator<MaintenanceFacts> OLDEST_FIRST =
      Comparator.comparing((MaintenanceFacts each) -> each.identity().created())
          .thenComparing(each -> each.identity().toString());

  private NodeTurns() {}

  /**
   * Whom a maintenance that is about to take its node, or to drain it, waits for.
   *
   * @param others the other maintenances of its node
   */
  public static Optional<String> before(
      MaintenanceFacts maintenance, List<MaintenanceFacts> others) {
    return others.stream()
        .filter(other -> other.spec().maintenanceClass() != null && other.isActive())
        .filter(other -> goesFirst(other, maintenance))
        .min(OLDEST_FIRST)
        .map(
            other ->
                "its turn on node %s, which NotifyMaintenance %s has"
                    .formatted(maintenance.node(), other.identity()));
  }

  /**
   * A Job that says that it works on some node.
   *
   * @param name for people
   * @param ofOther whether it is of one of the other maintenances of the node
   * @param controller namespace and name of the maintenance that it names as its controller
   */
  public record NodeJob(String name, boolean running, boolean ofOther, String controller) {}

  /**
   * What keeps a maintenance from its node: another maintenance's Job that runs there, also one of
   * a maintenance that is gone and for which the node is still held, or another whose turn it is.
   *
   * @param others the other maintenances of its node
   * @param holders of the node
   */
  public static Optional<String> busyWith(
      MaintenanceFacts maintenance,
      List<MaintenanceFacts> others,
      List<NodeJob> jobs,
      Collection<String> holders) {
    return jobs.stream()
        .filter(NodeJob::running)
        .filter(job -> job.ofOther() || holders.contains(holderOfGone(job.controller())))
        .map(job -> job.name() + ", which works on the node")
        .findFirst()
        .or(() -> before(maintenance, others));
  }

  private static String holderOfGone(String maintenance) {
    return Hold.GONE_PREFIX + MaintenanceFacts.HOLDER_PREFIX + maintenance;
  }

  private static boolean goesFirst(MaintenanceFacts other, MaintenanceFacts than) {
    return switch (than.state()) {
      case NONE, SCHEDULED -> true;
      case STARTED, SLA_EXPIRED ->
          switch (other.state()) {
            case DRAINED, VALIDATING -> true;
            case STARTED, SLA_EXPIRED -> OLDEST_FIRST.compare(other, than) < 0;
            case NONE, SCHEDULED, INCOMPLETE, UNKNOWN -> false;
          };
      case DRAINED, VALIDATING, INCOMPLETE, UNKNOWN -> false;
    };
  }
}

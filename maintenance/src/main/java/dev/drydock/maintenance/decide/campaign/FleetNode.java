package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.NameLists;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The facts about one node that campaigns need.
 *
 * @param holders its holders, e.g. {@code notifymaintenance/ops/fw-17}
 */
public record FleetNode(
    String name,
    Map<String, String> labels,
    Instant created,
    boolean ready,
    boolean cordoned,
    List<String> holders) {
  public FleetNode {
    labels = Map.copyOf(labels);
    holders = List.copyOf(holders);
  }

  /** A node in service. */
  public static FleetNode inService(String name, Map<String, String> labels, Instant created) {
    return new FleetNode(name, labels, created, true, false, List.of());
  }

  /** Whether it is out of service, for any reason. */
  public boolean isOut() {
    return !ready || isKeptOut();
  }

  /** Whether it is cordoned or held. */
  public boolean isKeptOut() {
    return cordoned || !holders.isEmpty();
  }

  /** For people. */
  String whyOut() {
    if (!holders.isEmpty()) {
      return "held by " + NameLists.some(holders);
    }
    return cordoned ? "cordoned" : "not ready";
  }
}

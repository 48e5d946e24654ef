package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.drain.engine.decide.NaturalOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The order of nodes; ties are broken by name, so the same facts give the same order.
 *
 * <p>{@code soonest} orders by the time until a node can leave, minus the time that it has waited.
 * A node that takes longer than a day counts as taking a day; so no node is ever overtaken by one
 * that joined the campaign more than a day later, and none starves. A node that can never drain
 * comes last, however long it has waited.
 */
public final class NodeOrder {
  /** Longer times make no difference. */
  static final Duration LONGEST = Duration.ofDays(1);

  private static final Comparator<Candidate> BY_NAME =
      Comparator.comparing(candidate -> candidate.node().name(), NaturalOrder.INSTANCE);

  private NodeOrder() {}

  /** All candidates, the next one first. */
  public static List<Candidate> sorted(
      CampaignOrder order, List<Candidate> candidates, Instant now) {
    return candidates.stream().sorted(comparator(order, now).thenComparing(BY_NAME)).toList();
  }

  private static Comparator<Candidate> comparator(CampaignOrder order, Instant now) {
    return switch (order) {
      case SOONEST ->
          Comparator.comparing((Candidate candidate) -> candidate.never().isPresent())
              .thenComparing(candidate -> aged(candidate, now));
      case ZONE ->
          Comparator.comparing(
                  (Candidate candidate) -> zoneOf(candidate.node()), NaturalOrder.INSTANCE)
              .thenComparing(candidate -> candidate.never().isPresent())
              .thenComparing(candidate -> aged(candidate, now));
      case NAME -> BY_NAME;
      case AGE -> Comparator.comparing(candidate -> candidate.node().created());
    };
  }

  private static Duration aged(Candidate candidate, Instant now) {
    Duration waited = Duration.between(candidate.waitingSince(), now);
    return capped(candidate.leavesIn()).minus(waited);
  }

  static Duration capped(Duration time) {
    return time.compareTo(LONGEST) > 0 ? LONGEST : time;
  }

  static String zoneOf(FleetNode node) {
    return node.labels().getOrDefault(CampaignNames.ZONE_LABEL, BudgetLevel.NONE);
  }
}

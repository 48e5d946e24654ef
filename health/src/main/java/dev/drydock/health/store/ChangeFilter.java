package dev.drydock.health.store;

import dev.drydock.contracts.health.HealthStatus;
import java.util.Set;

/** The changes that a consumer wants. What is left out needs not be finished by the consumer. */
@FunctionalInterface
public interface ChangeFilter {
  Set<String> QUARANTINED =
      Set.of(HealthStatus.QUARANTINED.word(), HealthStatus.ALREADY_QUARANTINED.word());
  Set<String> DRAINED = Set.of(HealthStatus.SUCCEEDED.word(), HealthStatus.ALREADY_DRAINED.word());

  boolean wants(Change change);

  ChangeFilter ALL = _ -> true;

  /** New events on which nodes may be quarantined or released. */
  ChangeFilter NEW_EVENTS =
      change ->
          change.event().event().processingStrategy().acts()
              && switch (change.kind()) {
                case INSERTED -> true;
                case UPDATED -> false;
                case LISTED -> change.event().isUndecided();
              };

  /** Decisions about quarantines, for which nodes are drained or drains are cancelled. */
  ChangeFilter QUARANTINE_DECISIONS =
      change ->
          switch (change.kind()) {
            case INSERTED -> false;
            case UPDATED ->
                change
                    .update()
                    .text(StatusField.NODE_QUARANTINED)
                    .filter(ChangeFilter::isDecision)
                    .isPresent();
            case LISTED -> isDecision(change.event().status().nodeQuarantined());
          };

  /** Finished and cancelled drains, after which nodes are repaired. */
  ChangeFilter FINISHED_DRAINS =
      change -> {
        var status = change.event().status();
        boolean cancelled = HealthStatus.CANCELLED.is(status.nodeQuarantined());
        boolean drained =
            DRAINED.contains(status.userPodsEvictionStatus().status())
                && (QUARANTINED.contains(status.nodeQuarantined())
                    || HealthStatus.UN_QUARANTINED.is(status.nodeQuarantined()));
        return switch (change.kind()) {
          case INSERTED, LISTED -> cancelled || drained;
          case UPDATED ->
              (cancelled && change.update().values().containsKey(StatusField.NODE_QUARANTINED))
                  || (drained
                      && change
                          .update()
                          .values()
                          .containsKey(StatusField.USER_PODS_EVICTION_STATUS))
                  || (drained
                      && HealthStatus.UN_QUARANTINED.is(
                          change.update().text(StatusField.NODE_QUARANTINED).orElse("")));
        };
      };

  private static boolean isDecision(String word) {
    return QUARANTINED.contains(word)
        || HealthStatus.UN_QUARANTINED.is(word)
        || HealthStatus.CANCELLED.is(word);
  }
}

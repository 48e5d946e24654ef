package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An unhealthy event that keeps a node in quarantine, as far as no healthy event has cleared it.
 *
 * @param created when it was stored; absent if not known
 * @param ruleSets the names of those that matched; absent if not known, because another program
 *     wrote it
 */
public record TrackedFault(
    HealthEvent event, Optional<Instant> created, Optional<List<String>> ruleSets) {
  /** In the metadata of the event: what it stands for, if for more than itself. */
  static final String SCOPE = "drydock.dev/stands-for";

  /** The name of the check that stands for all others. */
  static final String ANY_CHECK = "UntrackedFailures";

  /** What a tracked failure stands for. */
  public enum Scope {
    /** Its entities, each with each of its codes. */
    ITSELF,
    /** Failures of its check that are not tracked by themselves: cleared with the whole check. */
    CHECK,
    /** Failures of any check that are not tracked by themselves: cleared by a person. */
    NODE
  }

  private static final ImpactedEntity NO_ENTITY = new ImpactedEntity("", "");

  public TrackedFault {
    ruleSets = ruleSets.map(List::copyOf);
  }

  public static TrackedFault of(HealthEvent event, Instant created, List<String> ruleSets) {
    return new TrackedFault(event, Optional.of(created), Optional.of(ruleSets));
  }

  /** A failure that another program tracked. */
  public static TrackedFault foreign(HealthEvent event) {
    return new TrackedFault(event, Optional.empty(), Optional.empty());
  }

  public Scope scope() {
    return switch (event.metadata().getOrDefault(SCOPE, "")) {
      case "check" -> Scope.CHECK;
      case "node" -> Scope.NODE;
      default -> Scope.ITSELF;
    };
  }

  /** Whether the monitor wants the node out of service whatever the rules say. */
  public boolean isForced() {
    return isForced(event);
  }

  static boolean isForced(HealthEvent event) {
    return event.quarantineOverrides() != null && event.quarantineOverrides().force();
  }

  private static <T> List<T> orOne(List<T> some, T none) {
    return some.isEmpty() ? List.of(none) : some;
  }

  private List<ImpactedEntity> entities() {
    return orOne(event.entitiesImpacted(), NO_ENTITY);
  }

  private List<String> codes() {
    return orOne(event.errorCode(), "");
  }

  private boolean isOfCheck(HealthEvent other) {
    return event.agent().equals(other.agent())
        && event.componentClass().equals(other.componentClass())
        && event.checkName().equals(other.checkName())
        && event.nodeName().equals(other.nodeName())
        && event.version() == other.version();
  }

  /**
   * What is left of it. A healthy event without entities clears all entities of its check, without
   * codes all codes. Two are left if some codes were cleared for some entities only: their entities
   * and codes are exactly those that remain.
   */
  List<TrackedFault> without(HealthEvent healthy) {
    if (!isOfCheck(healthy) || scope() == Scope.NODE) {
      return List.of(this);
    }
    Set<ImpactedEntity> clearedEntities = Set.copyOf(healthy.entitiesImpacted());
    Set<String> clearedCodes = Set.copyOf(healthy.errorCode());
    List<ImpactedEntity> untouched = new ArrayList<>();
    List<ImpactedEntity> touched = new ArrayList<>();
    for (ImpactedEntity entity : entities()) {
      boolean cleared = clearedEntities.isEmpty() || clearedEntities.contains(entity);
      (cleared ? touched : untouched).add(entity);
    }
    List<String> left =
        codes().stream()
            .filter(code -> !clearedCodes.isEmpty() && !clearedCodes.contains(code))
            .toList();
    if (touched.isEmpty() || left.size() == codes().size()) {
      return List.of(this);
    }
    List<TrackedFault> remaining = new ArrayList<>();
    if (!untouched.isEmpty()) {
      remaining.add(with(untouched, codes()));
    }
    if (!left.isEmpty()) {
      remaining.add(with(touched, left));
    }
    return remaining;
  }

  private TrackedFault with(List<ImpactedEntity> entities, List<String> codes) {
    return with(
        event.toBuilder()
            .entitiesImpacted(event.entitiesImpacted().isEmpty() ? List.of() : entities)
            .errorCode(event.errorCode().isEmpty() ? List.of() : codes)
            .build());
  }

  TrackedFault with(HealthEvent changed) {
    return new TrackedFault(changed, created, ruleSets);
  }

  /** Standing for all failures of its check. */
  TrackedFault ofCheck() {
    return with(
        event.toBuilder()
            .entitiesImpacted(List.of())
            .errorCode(List.of())
            .message("failures of this check that are not tracked one by one")
            .metadata(Map.of(SCOPE, "check"))
            .build());
  }

  /** Standing for all failures of its node. */
  TrackedFault ofNode() {
    return with(
        HealthEvent.builder()
            .version(event.version())
            .agent("drydock")
            .checkName(ANY_CHECK)
            .isFatal(true)
            .recommendedAction(event.recommendedAction())
            .customRecommendedAction(event.customRecommendedAction())
            .message("more checks failed than are tracked: look at the node, then uncordon it")
            .metadata(Map.of(SCOPE, "node"))
            .nodeName(event.nodeName())
            .quarantineOverrides(event.quarantineOverrides())
            .processingStrategy(event.processingStrategy())
            .id(event.id())
            .build());
  }

  /** Whether both stand for the same failures that are not tracked by themselves. */
  boolean isSameScope(TrackedFault other) {
    return switch (scope()) {
      case ITSELF -> false;
      case CHECK -> other.scope() == Scope.CHECK && isOfCheck(other.event);
      case NODE -> other.scope() == Scope.NODE;
    };
  }

  /** Whether it stands for some failure that the event tells of, as far as is known. */
  boolean mayTellOf(HealthEvent other) {
    TrackedFault told = foreign(other);
    return switch (scope()) {
      case ITSELF ->
          isOfCheck(other)
              && !Collections.disjoint(entities(), told.entities())
              && !Collections.disjoint(codes(), told.codes());
      case CHECK -> isOfCheck(other);
      case NODE -> true;
    };
  }

  /** Whether tracking the other one adds nothing: same failures, same action, no other rules. */
  boolean covers(TrackedFault other) {
    boolean failures =
        switch (scope()) {
          case ITSELF ->
              isOfCheck(other.event)
                  && Set.copyOf(entities()).containsAll(other.entities())
                  && Set.copyOf(codes()).containsAll(other.codes())
                  && event.effectiveAction().equals(other.event.effectiveAction());
          case CHECK -> isOfCheck(other.event);
          case NODE -> true;
        };
    return failures
        && (isForced() || !other.isForced() || scope() == Scope.ITSELF)
        && (ruleSets.isEmpty()
            || (other.ruleSets.isPresent()
                && Set.copyOf(ruleSets.get()).containsAll(other.ruleSets.get())));
  }
}

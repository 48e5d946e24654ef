package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
  /**
   * What a healthy event clears.
   *
   * @param entityType empty, with its value, if the event names no entity
   * @param errorCode empty if the event names no code
   */
  public record Key(
      String agent,
      String componentClass,
      String checkName,
      String nodeName,
      int version,
      String entityType,
      String entityValue,
      String errorCode) {

    boolean isOfCheck(HealthEvent event) {
      return agent.equals(event.agent())
          && componentClass.equals(event.componentClass())
          && checkName.equals(event.checkName())
          && nodeName.equals(event.nodeName())
          && version == event.version();
    }
  }

  private static final ImpactedEntity NO_ENTITY = new ImpactedEntity("", "");

  public TrackedFault {
    ruleSets = ruleSets.map(List::copyOf);
  }

  public static TrackedFault of(HealthEvent event, Instant created, List<String> ruleSets) {
    return new TrackedFault(event, Optional.of(created), Optional.of(ruleSets));
  }

  /** As another program wrote it. */
  public static TrackedFault foreign(HealthEvent event) {
    return new TrackedFault(event, Optional.empty(), Optional.empty());
  }

  /** Whether the monitor wants the node out of service whatever the rules say. */
  boolean isForced() {
    return isForced(event);
  }

  static boolean isForced(HealthEvent event) {
    return event.quarantineOverrides() != null && event.quarantineOverrides().force();
  }

  /** One for each entity with each code. */
  public static Set<Key> keys(HealthEvent event) {
    Set<Key> keys = new LinkedHashSet<>();
    for (ImpactedEntity entity : orOne(event.entitiesImpacted(), NO_ENTITY)) {
      for (String code : orOne(event.errorCode(), "")) {
        keys.add(key(event, entity, code));
      }
    }
    return keys;
  }

  private static <T> List<T> orOne(List<T> some, T none) {
    return some.isEmpty() ? List.of(none) : some;
  }

  private static Key key(HealthEvent event, ImpactedEntity entity, String code) {
    return new Key(
        event.agent(),
        event.componentClass(),
        event.checkName(),
        event.nodeName(),
        event.version(),
        entity.entityType(),
        entity.entityValue(),
        code);
  }

  /** Without entities it clears all entities of its check, without codes all codes. */
  static boolean clears(HealthEvent healthy, Key key) {
    return key.isOfCheck(healthy)
        && (healthy.entitiesImpacted().isEmpty()
            || healthy
                .entitiesImpacted()
                .contains(new ImpactedEntity(key.entityType(), key.entityValue())))
        && (healthy.errorCode().isEmpty() || healthy.errorCode().contains(key.errorCode()));
  }

  /** Whether the healthy event clears all of an unhealthy one. */
  public static boolean clearsAll(HealthEvent healthy, HealthEvent unhealthy) {
    return keys(unhealthy).stream().allMatch(key -> clears(healthy, key));
  }

  /**
   * What is left of it. Several, if some codes were cleared for some entities only: each has the
   * entities with the same remaining codes, so that its keys are exactly those that remain.
   */
  List<TrackedFault> without(HealthEvent healthy) {
    Map<List<String>, List<ImpactedEntity>> byCodes = new LinkedHashMap<>();
    boolean changed = false;
    for (ImpactedEntity entity : orOne(event.entitiesImpacted(), NO_ENTITY)) {
      List<String> left = new ArrayList<>();
      for (String code : orOne(event.errorCode(), "")) {
        boolean cleared = clears(healthy, key(event, entity, code));
        changed |= cleared;
        if (!cleared) {
          left.add(code);
        }
      }
      if (!left.isEmpty()) {
        byCodes.computeIfAbsent(left, _ -> new ArrayList<>()).add(entity);
      }
    }
    if (!changed) {
      return List.of(this);
    }
    List<TrackedFault> remaining = new ArrayList<>();
    byCodes.forEach((codes, entities) -> remaining.add(with(entities, codes)));
    return remaining;
  }

  private TrackedFault with(List<ImpactedEntity> entities, List<String> codes) {
    HealthEvent.Builder rest = event.toBuilder();
    rest.entitiesImpacted(event.entitiesImpacted().isEmpty() ? List.of() : entities);
    rest.errorCode(event.errorCode().isEmpty() ? List.of() : codes);
    return new TrackedFault(rest.build(), created, ruleSets);
  }

  /** Whether tracking the other one adds nothing: same failures, same action, no other rules. */
  boolean covers(TrackedFault other) {
    return keys(event).containsAll(keys(other.event))
        && event.effectiveAction().equals(other.event.effectiveAction())
        && (ruleSets.isEmpty()
            || (other.ruleSets.isPresent()
                && Set.copyOf(ruleSets.get()).containsAll(other.ruleSets.get())));
  }
}

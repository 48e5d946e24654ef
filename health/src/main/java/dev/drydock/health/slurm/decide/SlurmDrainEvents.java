package dev.drydock.health.slurm.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The health events about drains of a node that somebody made in Slurm: what was published, and
 * what has to be published now.
 */
public final class SlurmDrainEvents {
  public static final String AGENT = "slurm-drain-monitor";

  private static final String ENTITY_TYPE = "v1/Pod";
  private static final String CLEARED = "Slurm external drain cleared";

  private SlurmDrainEvents() {}

  /**
   * A worker that somebody drained in Slurm.
   *
   * @param pod its namespace and name
   */
  public record ExternalDrain(String pod, String reason) {}

  /** What one healthy event clears. */
  public record FaultKey(String checkName, String componentClass, String pod) {}

  /**
   * What is published and not cleared: the messages of the events by what clears them.
   *
   * @param newestFirst stored events of the node, of any agent
   */
  public static Map<FaultKey, Set<String>> published(Collection<HealthEvent> newestFirst) {
    Map<FaultKey, Set<String>> open = new LinkedHashMap<>();
    Set<FaultKey> cleared = new HashSet<>();
    for (HealthEvent event : newestFirst) {
      if (event.agent().equals(AGENT)) {
        for (ImpactedEntity entity : event.entitiesImpacted()) {
          FaultKey key =
              new FaultKey(event.checkName(), event.componentClass(), entity.entityValue());
          if (event.isHealthy()) {
            cleared.add(key);
          } else if (!cleared.contains(key)) {
            open.computeIfAbsent(key, _ -> new HashSet<>()).add(event.message());
          }
        }
      }
    }
    return open;
  }

  /** What is published and not cleared after more events. */
  public static Map<FaultKey, Set<String>> published(
      Map<FaultKey, Set<String>> before, List<HealthEvent> sent) {
    Map<FaultKey, Set<String>> after = new LinkedHashMap<>(before);
    sent.stream()
        .filter(HealthEvent::isHealthy)
        .flatMap(event -> published(List.of(unhealthy(event))).keySet().stream())
        .forEach(after::remove);
    after.putAll(published(sent.reversed()));
    return after;
  }

  private static HealthEvent unhealthy(HealthEvent event) {
    return event.toBuilder().isHealthy(false).build();
  }

  /** The events to publish: what has ended or changed is cleared, then what is new. */
  public static List<HealthEvent> changes(
      String node,
      List<ExternalDrain> drains,
      Map<FaultKey, Set<String>> published,
      DrainPatterns patterns) {
    Map<FaultKey, List<HealthEvent>> wanted = wanted(node, drains, patterns);
    List<HealthEvent> changes = new ArrayList<>();
    published.forEach(
        (key, messages) -> {
          if (!messages.equals(messages(wanted.getOrDefault(key, List.of())))) {
            changes.add(cleared(node, key, patterns));
          }
        });
    wanted.forEach(
        (key, events) -> {
          if (!messages(events).equals(published.get(key))) {
            changes.addAll(events);
          }
        });
    return changes;
  }

  private static Set<String> messages(List<HealthEvent> events) {
    Set<String> messages = new HashSet<>();
    events.forEach(event -> messages.add(event.message()));
    return messages;
  }

  private static Map<FaultKey, List<HealthEvent>> wanted(
      String node, List<ExternalDrain> drains, DrainPatterns patterns) {
    Map<FaultKey, List<HealthEvent>> wanted = new LinkedHashMap<>();
    for (ExternalDrain drain : drains) {
      for (String segment : patterns.segments(drain.reason())) {
        for (DrainPattern pattern : patterns.all()) {
          if (pattern.regex().matcher(segment).find()) {
            FaultKey key = new FaultKey(pattern.checkName(), pattern.componentClass(), drain.pod());
            wanted
                .computeIfAbsent(key, _ -> new ArrayList<>())
                .add(
                    event(node, key, patterns)
                        .isFatal(pattern.isFatal())
                        .message(pattern.message().isEmpty() ? segment : pattern.message())
                        .recommendedAction(pattern.recommendedAction())
                        .build());
          }
        }
      }
    }
    return wanted;
  }

  private static HealthEvent cleared(String node, FaultKey key, DrainPatterns patterns) {
    return event(node, key, patterns).isHealthy(true).message(CLEARED).build();
  }

  private static HealthEvent.Builder event(String node, FaultKey key, DrainPatterns patterns) {
    return HealthEvent.builder()
        .version(1)
        .agent(AGENT)
        .componentClass(key.componentClass())
        .checkName(key.checkName())
        .nodeName(node)
        .processingStrategy(patterns.strategy())
        .entity(ENTITY_TYPE, key.pod());
  }
}

package dev.drydock.health.transform;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.ProcessingStrategy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Adds what the Node says about itself: its provider's id, and some of its labels. */
public final class MetadataAugmentor implements EventTransformer {
  public static final String NAME = "MetadataAugmentor";

  /**
   * How it works.
   *
   * @param allowedLabels copied under the same names
   * @param skipNodeLabel events of nodes with this label and value are only stored
   */
  public record Settings(
      int cacheSize, Duration cacheTtl, List<String> allowedLabels, Optional<Label> skipNodeLabel) {
    public Settings {
      allowedLabels = List.copyOf(allowedLabels);
    }
  }

  /** A label with one value. */
  public record Label(String key, String value) {}

  /** What a Node says. */
  public record NodeFacts(String providerId, Map<String, String> labels) {
    public NodeFacts {
      labels = Map.copyOf(labels);
    }
  }

  private record Cached(NodeFacts facts, Instant until) {}

  private final Settings settings;
  private final Clock clock;
  private final Function<String, Optional<NodeFacts>> nodes;
  private final Map<String, Cached> cache;

  /**
   * @param nodes reads a Node; empty if there is none
   */
  public MetadataAugmentor(
      Settings settings, Clock clock, Function<String, Optional<NodeFacts>> nodes) {
    this.settings = settings;
    this.clock = clock;
    this.nodes = nodes;
    cache =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Cached> eldest) {
            return size() > settings.cacheSize();
          }
        };
  }

  @Override
  public HealthEvent apply(HealthEvent event) {
    if (event.nodeName().isEmpty()) {
      throw new TransformFailure("an event names no node");
    }
    NodeFacts facts = facts(event.nodeName());
    Map<String, String> metadata = new LinkedHashMap<>(event.metadata());
    if (!facts.providerId().isEmpty()) {
      metadata.put(HealthNames.PROVIDER_ID, facts.providerId());
    }
    for (String label : settings.allowedLabels()) {
      String value = facts.labels().get(label);
      if (value != null && !label.equals(HealthNames.IDEMPOTENCY_KEY)) {
        metadata.put(label, value);
      }
    }
    HealthEvent.Builder builder = event.toBuilder().metadata(metadata);
    if (settings
        .skipNodeLabel()
        .filter(label -> label.value().equals(facts.labels().get(label.key())))
        .isPresent()) {
      builder.processingStrategy(ProcessingStrategy.STORE_ONLY);
    }
    return builder.build();
  }

  private NodeFacts facts(String node) {
    Instant now = clock.instant();
    synchronized (cache) {
      Cached cached = cache.get(node);
      if (cached != null && now.isBefore(cached.until())) {
        return cached.facts();
      }
    }
    NodeFacts facts =
        nodes.apply(node).orElseThrow(() -> new TransformFailure("there is no node " + node));
    synchronized (cache) {
      cache.put(node, new Cached(facts, now.plus(settings.cacheTtl())));
    }
    return facts;
  }
}

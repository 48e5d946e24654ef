package dev.drydock.edge.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long rebuilds still take, from the progress seen so far.
 *
 * @param first when each replica was first seen, and how far it was
 * @param latest the same of the last look
 */
public record RebuildEstimate(Map<String, Sample> first, Map<String, Sample> latest) {
  public static final RebuildEstimate NOTHING_SEEN = new RebuildEstimate(Map.of(), Map.of());

  /** A look at one rebuild. */
  public record Sample(Instant at, int progress) {}

  public RebuildEstimate {
    first = Map.copyOf(first);
    latest = Map.copyOf(latest);
  }

  public RebuildEstimate seen(StorageView storage, Instant now) {
    Map<String, Sample> begun = new HashMap<>();
    Map<String, Sample> last = new HashMap<>();
    for (VolumeReplica replica : storage.replicas()) {
      if (replica.isRebuilding()) {
        Sample sample = new Sample(now, replica.progress());
        last.put(replica.name(), sample);
        Sample before = first.getOrDefault(replica.name(), sample);
        // a rebuild that has started over is another one
        begun.put(replica.name(), before.progress() > replica.progress() ? sample : before);
      }
    }
    return new RebuildEstimate(begun, last);
  }

  /** Empty until there was progress. */
  public Optional<Duration> left(String replica) {
    Sample from = first.get(replica);
    Sample to = latest.get(replica);
    if (from == null || to == null || to.progress() <= from.progress()) {
      return Optional.empty();
    }
    Duration took = Duration.between(from.at(), to.at());
    return Optional.of(
        took.multipliedBy(100 - to.progress()).dividedBy(to.progress() - from.progress()));
  }

  String text(String replica) {
    return left(replica)
        .map(time -> ", about %d min left".formatted(time.plusSeconds(59).toMinutes()))
        .orElse("");
  }
}

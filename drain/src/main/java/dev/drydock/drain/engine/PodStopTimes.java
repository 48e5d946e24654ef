package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** How long pods of a controller took to stop, as seen in this run: the longest of them. */
final class PodStopTimes {
  private record Stopping(String controller, Instant since) {}

  private final Map<String, Stopping> stopping = new HashMap<>();
  private final Map<String, Duration> longest = new HashMap<>();

  /** The stop times by the controller's UID, after another look at the pods. */
  Map<String, Duration> learn(Iterable<PodFacts> pods, Instant now) {
    Set<String> present = new HashSet<>();
    for (PodFacts pod : pods) {
      present.add(pod.uid());
      if (pod.terminating() && pod.controller().isPresent()) {
        Owner owner = pod.controller().get();
        stopping.putIfAbsent(pod.uid(), new Stopping(owner.uid(), now));
      }
    }
    stopping
        .entrySet()
        .removeIf(
            entry -> {
              if (present.contains(entry.getKey())) {
                return false;
              }
              Stopping gone = entry.getValue();
              Duration took = Duration.between(gone.since(), now);
              longest.merge(gone.controller(), took, (a, b) -> a.compareTo(b) > 0 ? a : b);
              return true;
            });
    return longest;
  }
}

package dev.drydock.health.slurm.decide;

import dev.drydock.contracts.health.ProcessingStrategy;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How drains in Slurm become health events.
 *
 * @param delimiter between the segments of a reason; empty for reasons that are not split
 * @param strategy of all events
 */
public record DrainPatterns(List<DrainPattern> all, String delimiter, ProcessingStrategy strategy) {
  public DrainPatterns {
    all = List.copyOf(all);
  }

  /** The parts of a reason that are matched each for itself. */
  List<String> segments(String reason) {
    return Stream.of(
            delimiter.isEmpty()
                ? new String[] {reason}
                : reason.split(Pattern.quote(delimiter), -1))
        .map(String::strip)
        .filter(segment -> !segment.isEmpty())
        .toList();
  }
}

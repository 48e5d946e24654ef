package dev.drydock.slingshot.decide;

import static java.util.Objects.requireNonNullElse;

import dev.drydock.contracts.cxi.CXIDriverSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What devices may count between the end of an install and the return of the node. Without a soak
 * time devices are not observed, only looked at once.
 */
public record CounterGate(
    Duration soak, int maxLinkFlaps, int maxPcieErrors, Optional<Integer> maxNacksPerMinute) {

  static CounterGate of(CXIDriverSpec.@Nullable Gate gate) {
    return gate == null
        ? new CounterGate(Duration.ZERO, 0, 0, Optional.empty())
        : new CounterGate(
            Duration.ofSeconds(Math.max(0, requireNonNullElse(gate.soakSeconds(), 0))),
            requireNonNullElse(gate.maxLinkFlaps(), 0),
            requireNonNullElse(gate.maxPcieErrors(), 0),
            Optional.ofNullable(gate.maxNacksPerMinute()));
  }

  /** A device's counters at the start of the soak time. */
  public record Counters(long linkFlaps, long pcieErrors, long nacks) {
    public static final Counters ZERO = new Counters(0, 0, 0);
  }

  /** What is too much on a device; empty if it may pass. */
  List<String> exceeded(String device, Counters from, Counters to, Duration time) {
    List<String> found = new ArrayList<>();
    long flaps = grown(from.linkFlaps(), to.linkFlaps());
    if (flaps > maxLinkFlaps) {
      found.add("%s: %d link flaps, and %d are allowed".formatted(device, flaps, maxLinkFlaps));
    }
    long errors = grown(from.pcieErrors(), to.pcieErrors());
    if (errors > maxPcieErrors) {
      found.add(
          "%s: %d uncorrectable PCIe errors, and %d are allowed"
              .formatted(device, errors, maxPcieErrors));
    }
    // at least a minute, or a single NACK just after the install would be many in a minute
    double minutes = Math.max(1, time.toMillis() / 60_000.0);
    double rate = grown(from.nacks(), to.nacks()) / minutes;
    maxNacksPerMinute
        .filter(most -> rate > most)
        .ifPresent(
            most ->
                found.add(
                    "%s: %.0f NACKs per minute, and %d are allowed"
                        .formatted(device, Math.ceil(rate), most)));
    return found;
  }

  /** Counters start again at zero when what counts is restarted. */
  private static long grown(long from, long to) {
    return to < from ? to : to - from;
  }
}

package dev.drydock.drain.stop.decide;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is known of the processes that have to see a stop.
 *
 * @param seen how many have seen the stop
 * @param missing those that have not, one line each
 * @param gone those that have not, and have not renewed their Lease for long either
 * @param unknown why nobody can say, if so
 */
public record StopAnswers(
    int seen, List<String> missing, List<String> gone, Optional<String> unknown) {
  public StopAnswers {
    missing = List.copyOf(missing);
    gone = List.copyOf(gone);
  }

  public static StopAnswers unknown(String why) {
    return new StopAnswers(0, List.of(), List.of(), Optional.of(why));
  }

  /**
   * Who of the holders of these Leases has seen the stop, and who has not.
   *
   * @param namespace in which the cord was pulled
   * @param version of the cord
   */
  public static StopAnswers of(
      Collection<StopLease> leases, String namespace, String version, Instant now) {
    List<StopLease> held =
        leases.stream().filter(StopLease::isOurs).filter(StopLease::isHeld).toList();
    Map<Boolean, List<String>> missing =
        held.stream()
            .filter(lease -> !lease.hasSeen(version))
            .collect(
                Collectors.partitioningBy(
                    lease -> lease.isGone(now),
                    Collectors.mapping(
                        lease -> lease.describe(namespace),
                        Collectors.collectingAndThen(
                            Collectors.toList(), lines -> lines.stream().sorted().toList()))));
    List<String> alive = missing.getOrDefault(false, List.of());
    List<String> gone = missing.getOrDefault(true, List.of());
    return new StopAnswers(held.size() - alive.size() - gone.size(), alive, gone, Optional.empty());
  }

  /** Whether waiting longer brings nothing: all that are alive have seen it. */
  public boolean isComplete() {
    return unknown.isEmpty() && missing.isEmpty();
  }
}

package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.PodVerdicts.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds up tiers, waves and grace periods. The time until a replacement is healthy is not known:
 * waves are assumed to follow each other at once.
 */
final class EtaEstimate {
  private final DrainPolicy policy;
  private final Map<String, Duration> stopTimes;
  private final Instant startedAt;
  private final Instant now;

  EtaEstimate(DrainPolicy policy, Map<String, Duration> stopTimes, Instant startedAt, Instant now) {
    this.policy = policy;
    this.stopTimes = stopTimes;
    this.startedAt = startedAt;
    this.now = now;
  }

  Eta of(PodVerdicts verdicts) {
    if (!verdicts.refused().isEmpty()) {
      return Eta.UNKNOWN;
    }
    Duration atLeast = Duration.ZERO;
    Optional<Duration> atMost = Optional.of(Duration.ZERO);
    for (List<Task> tier : verdicts.tiers()) {
      atLeast = atLeast.plus(leastOf(tier));
      atMost = sum(atMost, mostOf(tier));
    }
    Optional<Duration> bound = escalationBound(verdicts.going());
    if (bound.isPresent() && atMost.filter(most -> most.compareTo(bound.get()) <= 0).isEmpty()) {
      atMost = bound;
    }
    Duration most = atMost.orElse(atLeast);
    return new Eta(most.compareTo(atLeast) < 0 ? most : atLeast, atMost);
  }

  private Duration leastOf(List<Task> tier) {
    Duration least = tier.stream().map(this::least).reduce(Duration.ZERO, EtaEstimate::longer);
    for (List<Task> group : Waves.byBudget(tier)) {
      Duration series = Duration.ZERO;
      for (List<Task> wave : Waves.of(group)) {
        series =
            series.plus(wave.stream().map(this::least).reduce(Duration.ZERO, EtaEstimate::longer));
      }
      least = longer(least, series);
    }
    return least;
  }

  private Optional<Duration> mostOf(List<Task> tier) {
    Optional<Duration> most = Optional.of(Duration.ZERO);
    for (Task task : tier) {
      most = longer(most, most(task));
    }
    for (List<Task> group : Waves.byBudget(tier)) {
      most = longer(most, mostOfSeries(group));
    }
    return most;
  }

  private Optional<Duration> mostOfSeries(List<Task> group) {
    if (policy.deleteInsteadOfEvict()) {
      return Optional.of(Duration.ZERO);
    }
    Duration longest = group.stream().map(Task::grace).reduce(Duration.ZERO, EtaEstimate::longer);
    Optional<Duration> forced =
        policy.forceAfter().map(time -> left(startedAt.plus(time)).plus(longest));
    List<List<Task>> waves = Waves.of(group);
    if (waves.isEmpty() || waves.getFirst().isEmpty()) {
      return forced;
    }
    Duration series = Duration.ZERO;
    for (List<Task> wave : waves) {
      series =
          series.plus(wave.stream().map(Task::grace).reduce(Duration.ZERO, EtaEstimate::longer));
    }
    Duration sum = series;
    return Optional.of(forced.filter(time -> time.compareTo(sum) < 0).orElse(sum));
  }

  private Duration least(Task task) {
    if (task.pod().terminating() || task.mode() instanceof EvictionMode.LetFinish) {
      return Duration.ZERO;
    }
    Duration seen =
        task.pod()
            .controller()
            .map(owner -> stopTimes.getOrDefault(owner.uid(), Duration.ZERO))
            .orElse(Duration.ZERO);
    return seen.compareTo(task.grace()) > 0 ? task.grace() : seen;
  }

  private Optional<Duration> most(Task task) {
    PodFacts pod = task.pod();
    if (pod.deletion().isPresent()) {
      Instant ends = pod.deletion().get().ends();
      return now.isAfter(ends) ? Optional.empty() : Optional.of(left(ends));
    }
    if (task.guards().size() > 1 && !policy.deleteInsteadOfEvict()) {
      return policy.forceAfter().map(time -> left(startedAt.plus(time)).plus(task.grace()));
    }
    if (pod.pinned() && pod.returnsToNode()) {
      return Optional.empty();
    }
    Optional<Duration> stop = Optional.of(task.grace());
    if (pod.finished()) {
      return stop;
    }
    return switch (task.mode()) {
      case EvictionMode.LetFinish finish -> sum(pod.endsBy().map(this::left), stop);
      case EvictionMode.DeleteAfter(Duration time) ->
          sum(Optional.of(left(startedAt.plus(time))), stop);
      case EvictionMode.DeleteAt(Instant time) -> sum(Optional.of(left(time)), stop);
      case EvictionMode.EvictNow now -> stop;
      case EvictionMode.LeaveAlone alone -> stop;
    };
  }

  /**
   * A deadline that ends in deletion bounds everything except pods that do not stop or come back.
   */
  private Optional<Duration> escalationBound(List<Task> going) {
    boolean stuck =
        going.stream()
            .filter(task -> task.pod().terminating() || task.pod().pinned())
            .anyMatch(task -> most(task).isEmpty());
    if (stuck || policy.deadline().isEmpty()) {
      return Optional.empty();
    }
    Duration left = left(startedAt.plus(policy.deadline().get()));
    Duration longest = going.stream().map(Task::grace).reduce(Duration.ZERO, EtaEstimate::longer);
    return switch (policy.atDeadline()) {
      case FAIL -> Optional.empty();
      case DELETE -> Optional.of(left.plus(longest));
      case FORCE_DELETE -> Optional.of(left);
    };
  }

  private Duration left(Instant until) {
    return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static Optional<Duration> longer(Optional<Duration> a, Optional<Duration> b) {
    return a.flatMap(x -> b.map(y -> longer(x, y)));
  }

  private static Optional<Duration> sum(Optional<Duration> a, Optional<Duration> b) {
    return a.flatMap(x -> b.map(x::plus));
  }
}

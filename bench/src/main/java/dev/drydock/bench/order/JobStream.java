package dev.drydock.bench.order;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The jobs of one slot of a node, one after another; the same for the same seed. */
final class JobStream {
  private static final int OWNERS = 10;

  private final Random random;
  private final JobMix mix;
  private final Knowledge knowledge;
  private Job current;

  /** A job and its end, which only the simulation knows. */
  record Job(String owner, Instant start, Instant end, Optional<Instant> limit) {
    Duration length() {
      return Duration.between(start, end);
    }
  }

  JobStream(long seed, JobMix mix, Knowledge knowledge, Instant start) {
    this.random = new Random(seed);
    this.mix = mix;
    this.knowledge = knowledge;
    this.current = job(start);
  }

  /** The job that runs at this time; times must not decrease. */
  Job at(Instant time) {
    until(time);
    return current;
  }

  /** Skips all jobs that have ended by then. */
  List<Job> until(Instant time) {
    List<Job> ended = new ArrayList<>();
    while (!current.end().isAfter(time)) {
      ended.add(current);
      current = job(current.end());
    }
    return ended;
  }

  private Job job(Instant start) {
    String owner = "owner-" + random.nextInt(OWNERS);
    Duration length = mix.next(random);
    boolean limited = random.nextDouble() < knowledge.share();
    double slack = 1 + 2 * random.nextDouble();
    Instant limit = start.plusMillis(Math.round(length.toMillis() * slack));
    return new Job(
        owner, start, start.plus(length), limited ? Optional.of(limit) : Optional.empty());
  }
}

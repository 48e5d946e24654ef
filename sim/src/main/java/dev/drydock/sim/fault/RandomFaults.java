package dev.drydock.sim.fault;

import dev.drydock.sim.fault.FaultPlan.Rule;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws faults of every kind, at the calls that a controller of nodes and pods makes. */
final class RandomFaults {
  private static final List<String> RESOURCES =
      List.of(
          "nodes",
          "nodes/status",
          "pods",
          "pods/eviction",
          "poddisruptionbudgets",
          "events",
          FaultPlan.ANY,
          FaultPlan.ANY);
  private static final List<String> VERBS = List.of("get", "list", "watch", "create", "patch");
  private static final List<Integer> CODES = List.of(409, 410, 429, 500, 503);
  private static final int CALLS = 12;
  private static final int EVENTS = 8;

  private RandomFaults() {}

  static Rule rule(RandomGenerator random) {
    Fault fault = fault(random);
    String verb =
        fault instanceof Fault.OfWatch
            ? "watch"
            : random.nextInt(3) == 0 ? FaultPlan.ANY : pick(VERBS, random);
    int most = fault instanceof Fault.OfWatch ? 3 : CALLS;
    return new Rule(1 + random.nextInt(most), verb, pick(RESOURCES, random), fault);
  }

  private static Fault fault(RandomGenerator random) {
    int event = 1 + random.nextInt(EVENTS);
    Duration moment = Duration.ofMillis(1 + random.nextInt(150));
    return switch (random.nextInt(10)) {
      case 0, 1 -> new Fault.Refused(pick(CODES, random), random.nextInt(2));
      case 2 -> new Fault.Delayed(moment);
      case 3 -> new Fault.NeverArrived();
      case 4 -> new Fault.AnswerLost();
      case 5 -> new Fault.ClockJumped(Duration.ofSeconds(random.nextInt(-120, 120)));
      case 6 -> new Fault.Partitioned(1 + random.nextInt(4));
      case 7 -> new Fault.Cut(event - 1);
      case 8 -> new Fault.Stalled(event, moment);
      default -> random.nextBoolean() ? new Fault.Repeated(event) : new Fault.Swapped(event);
    };
  }

  private static <T> T pick(List<T> from, RandomGenerator random) {
    return from.get(random.nextInt(from.size()));
  }
}

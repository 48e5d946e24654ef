package dev.drydock.sim.fault;

import dev.drydock.sim.fault.FaultPlan.Rule;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws faults of every kind for the calls of a controller of nodes and pods. */
final class RandomFaults {
  /** The verbs and resources that such a controller uses. */
  private record Asked(String verb, String resource) {}

  private static final List<Asked> CALLS =
      List.of(
          new Asked("get", "nodes"),
          new Asked("patch", "nodes"),
          new Asked("patch", "nodes/status"),
          new Asked("list", "pods"),
          new Asked("list", "poddisruptionbudgets"),
          new Asked("create", "pods/eviction"),
          new Asked("create", "pods/eviction"),
          new Asked("create", "events"),
          new Asked("watch", FaultPlan.ANY),
          new Asked(FaultPlan.ANY, FaultPlan.ANY));
  private static final List<Asked> WATCHES =
      List.of(
          new Asked("watch", "nodes"),
          new Asked("watch", "pods"),
          new Asked("watch", "poddisruptionbudgets"));
  private static final List<Integer> CODES = List.of(409, 410, 429, 500, 503);
  private static final int LATEST_CALL = 8;
  private static final int LATEST_WATCH = 3;
  private static final int EVENTS = 8;

  private RandomFaults() {}

  static Rule rule(RandomGenerator random) {
    Fault fault = fault(random);
    boolean ofWatch = fault instanceof Fault.OfWatch;
    Asked asked = pick(ofWatch ? WATCHES : CALLS, random);
    int nth = 1 + random.nextInt(ofWatch ? LATEST_WATCH : LATEST_CALL);
    return new Rule(nth, asked.verb(), asked.resource(), fault);
  }

  static Rule rule(RandomGenerator random, List<String> resources, int latestCall) {
    Fault fault = fault(random);
    boolean ofWatch = fault instanceof Fault.OfWatch;
    int nth = 1 + random.nextInt(ofWatch ? LATEST_WATCH : latestCall);
    return new Rule(nth, ofWatch ? "watch" : FaultPlan.ANY, pick(resources, random), fault);
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

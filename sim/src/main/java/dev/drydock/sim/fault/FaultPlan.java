package dev.drydock.sim.fault;

import dev.drydock.kube.time.VirtualTime;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Injects faults: each rule counts its calls and applies once. Give it to a simulation as its
 * interceptor. Its text contains everything that is needed to repeat the plan.
 */
public final class FaultPlan implements CallInterceptor {
  /** For a verb or a resource: any. */
  public static final String ANY = "*";

  private final String name;
  private final List<Rule> rules;
  private final Surroundings surroundings;

  private final Map<Rule, Integer> counts = new HashMap<>();
  private final Map<String, Integer> partitioned = new HashMap<>();
  private final List<String> struck = new ArrayList<>();

  /**
   * Applies to the n-th call, counted from 1, of a verb on a resource.
   *
   * @param resource a plural, with its subresource if that is meant: {@code pods/eviction}
   */
  public record Rule(int nth, String verb, String resource, Fault fault) {
    boolean isAbout(Call call) {
      String below = call.subresource().isEmpty() ? "" : "/" + call.subresource();
      return (verb.equals(ANY) || verb.equals(call.verb()))
          && (resource.equals(ANY) || resource.equals(call.resource() + below))
          && (fault instanceof Fault.OfCall || call.verb().equals("watch"));
    }

    @Override
    public String toString() {
      return "%s at call %d of %s %s".formatted(fault, nth, verb, resource);
    }
  }

  /**
   * Whose calls are meant, how time passes in a delay, and which clock jumps.
   *
   * @param virtual in which a watch stalls without holding up its thread; null in real time
   */
  private record Surroundings(
      Predicate<String> users,
      Consumer<Duration> passTime,
      Consumer<Duration> moveClock,
      @Nullable Supplier<VirtualTime> virtual) {
    private static final Surroundings DEFAULT =
        new Surroundings(user -> true, FaultPlan::takeTime, FaultPlan::noClock, null);
  }

  private FaultPlan(String name, List<Rule> rules, Surroundings surroundings) {
    this.name = name;
    this.rules = List.copyOf(rules);
    this.surroundings = surroundings;
  }

  /** Delays take real time; the clock cannot jump. */
  public static FaultPlan of(Rule... rules) {
    return new FaultPlan("by hand", List.of(rules), Surroundings.DEFAULT);
  }

  /** A number of faults of all kinds at random calls; the same seed gives the same plan. */
  public static FaultPlan random(long seed, int faults) {
    RandomGenerator random = new Random(seed);
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < faults; i++) {
      rules.add(RandomFaults.rule(random));
    }
    return new FaultPlan("seed " + seed, rules, Surroundings.DEFAULT);
  }

  /**
   * So many faults at random calls about these resources; the same seed gives the same plan.
   *
   * @param latestCall which call of its kind is the last that a fault can be drawn for
   */
  public static FaultPlan random(long seed, int faults, List<String> resources, int latestCall) {
    RandomGenerator random = new Random(seed);
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < faults; i++) {
      rules.add(RandomFaults.rule(random, resources, latestCall));
    }
    return new FaultPlan("seed " + seed, rules, Surroundings.DEFAULT);
  }

  /** Only the calls of this user count and can go wrong. */
  public FaultPlan forUser(String user) {
    return in(
        new Surroundings(
            user::equals,
            surroundings.passTime(),
            surroundings.moveClock(),
            surroundings.virtual()));
  }

  /** With another way to let time pass, such as stepping a cluster in virtual time. */
  public FaultPlan withTime(Consumer<Duration> pass) {
    return in(
        new Surroundings(
            surroundings.users(), pass, surroundings.moveClock(), surroundings.virtual()));
  }

  /**
   * For a cluster in virtual time: while a call is delayed or a watch stalls, everything else
   * continues.
   */
  public FaultPlan inTime(Supplier<VirtualTime> time) {
    return in(
        new Surroundings(
            surroundings.users(),
            delay -> time.get().advance(delay),
            surroundings.moveClock(),
            time));
  }

  /** With a clock that can jump. */
  public FaultPlan withClock(Consumer<Duration> move) {
    return in(
        new Surroundings(
            surroundings.users(), surroundings.passTime(), move, surroundings.virtual()));
  }

  private FaultPlan in(Surroundings others) {
    return new FaultPlan(name, rules, others);
  }

  private static void takeTime(Duration time) {
    try {
      var _ = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void noClock(Duration by) {
    throw new IllegalStateException("This plan moves a clock: say which, by withClock");
  }

  @Override
  public void before(Call call) {
    if (isCutOff(call.user())) {
      throw new ConnectionLost();
    }
    strike(call, false).ifPresent(fault -> suffer(fault, call));
  }

  private void suffer(Fault fault, Call call) {
    switch (fault) {
      case Fault.Refused(int code, int seconds) -> throw refusal(code, seconds);
      case Fault.Delayed(Duration time) -> surroundings.passTime().accept(time);
      case Fault.ClockJumped(Duration by) -> surroundings.moveClock().accept(by);
      case Fault.NeverArrived _ -> throw new ConnectionLost();
      case Fault.Partitioned(int calls) -> {
        cutOff(call.user(), calls - 1);
        throw new ConnectionLost();
      }
      case Fault.AnswerLost _ -> throw new IllegalStateException("strikes after the call");
      case Fault.OfWatch _ -> throw new IllegalStateException("strikes a watch");
    }
  }

  @Override
  public void after(Call call, int code) {
    if (strike(call, true).isPresent()) {
      throw new ConnectionLost();
    }
  }

  @Override
  public Lines lines(Call call, Lines lines) {
    List<Fault.OfWatch> faults = new ArrayList<>();
    synchronized (this) {
      for (Rule rule : rules) {
        if (rule.fault() instanceof Fault.OfWatch fault && isDue(rule, call)) {
          faults.add(fault);
        }
      }
    }
    return new FaultyWatch(
        lines,
        faults,
        new FaultyWatch.Stalling(surroundings.passTime(), surroundings.virtual()),
        () -> isPartitioned(call.user()));
  }

  private Optional<Fault> strike(Call call, boolean afterwards) {
    Optional<Fault> found = Optional.empty();
    synchronized (this) {
      for (Rule rule : rules) {
        boolean meant =
            rule.fault() instanceof Fault.OfCall
                && (rule.fault() instanceof Fault.AnswerLost) == afterwards;
        if (meant && isDue(rule, call) && found.isEmpty()) {
          found = Optional.of(rule.fault());
        }
      }
      return found;
    }
  }

  private boolean isDue(Rule rule, Call call) {
    boolean meant = surroundings.users().test(call.user()) && rule.isAbout(call);
    boolean due = meant && counts.merge(rule, 1, Integer::sum) == rule.nth();
    if (due) {
      struck.add(rule.toString());
    }
    return due;
  }

  private synchronized void cutOff(String user, int calls) {
    partitioned.put(user, calls);
  }

  /** Each call that gets lost brings the end of the partition nearer. */
  private synchronized boolean isCutOff(String user) {
    Integer left = partitioned.computeIfPresent(user, (u, calls) -> calls > 0 ? calls - 1 : null);
    return left != null;
  }

  private synchronized boolean isPartitioned(String user) {
    return partitioned.getOrDefault(user, 0) > 0;
  }

  private static StatusException refusal(int code, int retryAfterSeconds) {
    String reason =
        switch (code) {
          case 409 -> "Conflict";
          case 410 -> "Expired";
          case 429 -> "TooManyRequests";
          case 500 -> "InternalError";
          case 503 -> "ServiceUnavailable";
          default -> throw new IllegalArgumentException("No fault is answered by " + code);
        };
    return new StatusException(code, reason, "refused by the fault plan")
        .retryAfter(retryAfterSeconds);
  }

  /** The faults applied so far, in order. */
  public synchronized List<String> struck() {
    return List.copyOf(struck);
  }

  @Override
  public String toString() {
    return rules.stream()
        .map(Rule::toString)
        .collect(Collectors.joining("; ", "fault plan (" + name + "): ", ""));
  }
}

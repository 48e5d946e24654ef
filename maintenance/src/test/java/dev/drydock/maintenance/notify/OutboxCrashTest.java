package dev.drydock.maintenance.notify;

import static dev.drydock.maintenance.notify.TestNotices.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ApiFailure;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.fault.Fault;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.sim.fault.FaultPlan.Rule;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.ProcessDeath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever dies or fails, and whenever: what was appended arrives, in order. */
class OutboxCrashTest {
  private static final int NOTICES = 4;
  private static final List<Integer> ALL = IntStream.rangeClosed(1, NOTICES).boxed().toList();

  @Test
  void aProcessKilledAtAnyCallLosesNothing() {
    try (OutboxFixture fixture = OutboxFixture.simulated(SimulatedCluster.Settings.defaults())) {
      int call = 0;
      boolean survived = false;
      while (!survived) {
        call++;
        boolean before = killAndContinue(fixture, call, false);
        survived = killAndContinue(fixture, call, true) && before;
      }
      assertThat(call).as("calls of a whole life").isGreaterThan(2 + NOTICES);
    }
  }

  /** Whether the process got to the end before it could die. */
  private static boolean killAndContinue(
      OutboxFixture fixture, int lastCall, boolean carriesItOut) {
    String node = "node-" + lastCall + (carriesItOut ? "-after" : "-before");
    TestingChannel channel = new TestingChannel("first");
    TestingChannel other = new TestingChannel("second");
    DyingProcess dying = new DyingProcess(lastCall, carriesItOut, _ -> true);
    int promised = 0;
    boolean survived;
    try (OutboxFixture.Operator first =
        fixture.operator(dying, fixture.settings(), channel, other)) {
      first.outbox().start();
      while (promised < NOTICES && append(first, numbered(node, promised + 1))) {
        promised++;
      }
      fixture.eventually().until(() -> dying.isDead() || fixture.stored().isEmpty());
      survived = !dying.isDead();
    }

    try (OutboxFixture.Operator second = fixture.operator(channel, other)) {
      second.outbox().start();
      List<Integer> kept = ALL.subList(0, promised);
      fixture
          .eventually()
          .until(
              () ->
                  channel.numbers(node).containsAll(kept) && other.numbers(node).containsAll(kept));
      second.append(numbered(node, promised + 1, NOTICES));
      fixture.untilEmpty();
    }
    assertThat(channel.numbers(node)).as("killed at call %d", lastCall).isEqualTo(ALL);
    assertThat(other.numbers(node)).as("killed at call %d", lastCall).isEqualTo(ALL);
    return survived;
  }

  private static boolean append(OutboxFixture.Operator operator, Notice notice) {
    try {
      operator.outbox().append(notice);
      return true;
    } catch (ApiFailure failed) {
      return false;
    } catch (ProcessDeath death) {
      operator.process().kill();
      return false;
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 25);
  }

  /** As who moves a maintenance would: tries again until it is stored. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noFaultOfTheApiServerLosesOrReorders(long seed) {
    Random random = new Random(seed);
    FaultPlan plan = plan(random).forUser(OutboxFixture.OPERATOR);
    TestingChannel channel = new TestingChannel("first");
    TestingChannel other =
        new TestingChannel("second")
            .that(
                notice ->
                    random.nextInt(3) == 0
                        ? Channel.Outcome.Later.because("moody")
                        : new Channel.Outcome.Delivered());
    try (OutboxFixture fixture =
        OutboxFixture.simulated(SimulatedCluster.Settings.defaults().withHook(plan))) {
      OutboxFixture.Operator operator = fixture.operator(channel, other);
      operator.outbox().start();
      for (int i = 1; i <= 10; i++) {
        for (String node : List.of("node-1", "node-2")) {
          Notice notice = numbered(node, i);
          fixture.eventually().until(() -> append(operator, notice));
        }
      }
      fixture.untilEmpty();

      List<Integer> all = IntStream.rangeClosed(1, 10).boxed().toList();
      for (String node : List.of("node-1", "node-2")) {
        assertThat(channel.numbers(node)).as("%s; struck: %s", plan, plan.struck()).isEqualTo(all);
        assertThat(other.numbers(node)).as("%s; struck: %s", plan, plan.struck()).isEqualTo(all);
      }
    }
  }

  private static FaultPlan plan(Random random) {
    List<Rule> rules = new ArrayList<>();
    List<String> verbs = List.of("create", "create", "patch", "patch", "delete", "get", "list");
    for (int i = 0; i < 10; i++) {
      Fault fault =
          switch (random.nextInt(9)) {
            case 0 -> new Fault.Refused(409, 0);
            case 1 -> new Fault.Refused(500, 0);
            case 2 -> new Fault.Refused(429, 1);
            case 3 -> new Fault.Delayed(Duration.ofMillis(random.nextInt(20)));
            case 4 -> new Fault.NeverArrived();
            case 5 -> new Fault.Partitioned(1 + random.nextInt(4));
            case 6 -> new Fault.Cut(random.nextInt(6));
            case 7 -> new Fault.Swapped(1 + random.nextInt(6));
            default -> new Fault.AnswerLost();
          };
      boolean ofWatch = fault instanceof Fault.OfWatch;
      String verb = ofWatch ? "watch" : verbs.get(random.nextInt(verbs.size()));
      rules.add(new Rule(1 + random.nextInt(ofWatch ? 3 : 8), verb, "configmaps", fault));
    }
    return FaultPlan.of(rules.toArray(Rule[]::new));
  }
}

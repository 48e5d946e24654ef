package dev.drydock.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.sim.call.CallInterceptor.ConnectionLost;
import dev.drydock.sim.fault.FaultPlan.Rule;
import dev.drydock.sim.json.JsonTrees;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final String EVICTION = "pods/eviction";

  private static Call eviction(String user) {
    return new Call("create", "pods", "default", "web", "eviction", user);
  }

  private static Call watch() {
    return new Call("watch", "pods", "", "", "", "");
  }

  private static Rule rule(int nth, Fault fault) {
    return new Rule(nth, "create", EVICTION, fault);
  }

  private static Rule ofWatch(Fault.OfWatch fault) {
    return new Rule(1, "watch", "pods", fault);
  }

  private static void lost(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ConnectionLost.class);
  }

  @Test
  void strikesTheNthCallOfItsKindOnce() {
    FaultPlan plan = FaultPlan.of(rule(2, new Fault.Refused(429, 3)));

    plan.before(eviction(""));
    plan.before(watch());
    assertThatThrownBy(() -> plan.before(eviction("")))
        .isInstanceOfSatisfying(
            StatusException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(429);
              assertThat(failure.retryAfterSeconds()).isEqualTo(3);
            });
    plan.before(eviction(""));

    assertThat(plan.struck()).hasSize(1);
  }

  @Test
  void losesACallOrOnlyItsAnswer() {
    FaultPlan plan =
        FaultPlan.of(rule(1, new Fault.NeverArrived()), rule(1, new Fault.AnswerLost()));

    lost(() -> plan.before(eviction("")));
    lost(() -> plan.after(eviction(""), 201));
    plan.before(eviction(""));
    plan.after(eviction(""), 201);
  }

  @Test
  void cutsAUserOffForSoManyCallsAndLeavesOthersAlone() throws IOException {
    FaultPlan plan = FaultPlan.of(rule(1, new Fault.Partitioned(2)));
    List<String> seen = new ArrayList<>();
    CallInterceptor.Lines lines = plan.lines(watch(), line -> seen.add(line.asText()));

    lost(() -> plan.before(eviction("")));
    plan.before(eviction("other"));
    lost(() -> lines.send(JsonTrees.MAPPER.valueToTree("event")));
    lost(() -> plan.before(watch()));
    plan.before(watch());
    lines.send(JsonTrees.MAPPER.valueToTree("after"));

    assertThat(seen).containsExactly("after");
  }

  @Test
  void delaysCallsAndMovesTheClockAsItIsTold() {
    List<Duration> passed = new ArrayList<>();
    List<Duration> moved = new ArrayList<>();
    FaultPlan plan =
        FaultPlan.of(
                rule(1, new Fault.Delayed(Duration.ofSeconds(2))),
                rule(2, new Fault.ClockJumped(Duration.ofSeconds(-9))))
            .withTime(passed::add)
            .withClock(moved::add);

    plan.before(eviction(""));
    plan.before(eviction(""));

    assertThat(passed).containsExactly(Duration.ofSeconds(2));
    assertThat(moved).containsExactly(Duration.ofSeconds(-9));
  }

  @Test
  void strikesOnlyTheUserThatIsMeant() {
    FaultPlan plan = FaultPlan.of(rule(1, new Fault.NeverArrived())).forUser("engine");

    plan.before(eviction("somebody"));
    lost(() -> plan.before(eviction("engine")));
  }

  @Test
  void repeatsSwapsStallsAndCutsTheEventsOfAWatch() throws IOException {
    List<Duration> passed = new ArrayList<>();
    FaultPlan plan =
        FaultPlan.of(
                ofWatch(new Fault.Repeated(1)),
                ofWatch(new Fault.Swapped(2)),
                ofWatch(new Fault.Stalled(3, Duration.ofMinutes(1))),
                ofWatch(new Fault.Cut(4)))
            .withTime(passed::add);
    List<String> seen = new ArrayList<>();
    CallInterceptor.Lines lines = plan.lines(watch(), line -> seen.add(line.asText()));

    for (String event : List.of("1", "2", "3", "4")) {
      lines.send(JsonTrees.MAPPER.valueToTree(event));
    }

    JsonNode fifth = JsonTrees.MAPPER.valueToTree("5");
    lost(() -> lines.send(fifth));
    assertThat(seen).containsExactly("1", "1", "3", "2", "4");
    assertThat(passed).containsExactly(Duration.ofMinutes(1));
  }

  @Test
  void theSameSeedGivesTheSamePlanAndTellsIt() {
    String plan = FaultPlan.random(17, 20).toString();

    assertThat(plan).startsWith("fault plan (seed 17): ");
    assertThat(FaultPlan.random(17, 20)).hasToString(plan);
    assertThat(FaultPlan.random(18, 20).toString()).isNotEqualTo(plan);
  }
}

package dev.drydock.maintenance.control;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.Fault;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.testkit.DyingProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single troubles that random walks have met, each by itself. */
class MaintenanceControllerInTroubleTest {
  private static final String NODE = "a-1";
  private static final Optional<String> CLASSLESS = Optional.empty();

  private static RandomWalkFixture fixture(FaultPlan.Rule... faults) {
    return new RandomWalkFixture(1, FaultPlan.of(faults));
  }

  private static Optional<NotifyMaintenanceObject> find(RandomWalkFixture fixture, String name) {
    return fixture.witness.maintenances().stream()
        .filter(each -> each.facts().identity().name().equals(name))
        .findFirst();
  }

  private static void awaitState(RandomWalkFixture fixture, String name, MaintenanceState state) {
    fixture
        .eventually()
        .until(() -> find(fixture, name).filter(each -> each.facts().state() == state).isPresent());
  }

  private static void awaitWait(RandomWalkFixture fixture, String name, String words) {
    fixture
        .eventually()
        .until(
            () ->
                find(fixture, name)
                    .filter(each -> Fields.text(each.status(), "waitingFor").contains(words))
                    .isPresent());
  }

  private static void awaitGone(RandomWalkFixture fixture, String name) {
    fixture.eventually().until(() -> find(fixture, name).isEmpty());
  }

  private static void delete(RandomWalkFixture fixture, String name) {
    assertThat(fixture.cluster.delete("NotifyMaintenance", "default", name, null).isSuccess())
        .isTrue();
  }

  private static void schedule(RandomWalkFixture fixture, String name) {
    fixture.patch("Node", NODE, "{metadata: {labels: {maintenance/%s: ''}}}".formatted(name));
    fixture.patch("Node", NODE, "{spec: {unschedulable: true}}");
  }

  private static void uncordon(RandomWalkFixture fixture) {
    fixture.patch("Node", NODE, "{spec: {unschedulable: null}}");
  }

  private static MaintenanceNodeObject node(RandomWalkFixture fixture) {
    return Optional.ofNullable(fixture.witness.nodes().get(NODE)).orElseThrow();
  }

  private static void awaitHolders(RandomWalkFixture fixture, Set<String> holders) {
    fixture.eventually().until(() -> RandomWalkObserver.holders(node(fixture)), holders::equals);
  }

  @Test
  void looksAtTheNodePastTheCacheBeforeEachJob() {
    try (RandomWalkFixture fixture = fixture();
        Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("all-well"));
      awaitGoneAfterItBegan(fixture);
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }

  private static void awaitGoneAfterItBegan(RandomWalkFixture fixture) {
    fixture.eventually().until(() -> fixture.witness.ended.contains("m"));
    awaitGone(fixture, "m");
  }

  @Test
  void doesNotBeginAJobBesideOneThatTheWatchHasNotShown() {
    FaultPlan.Rule late =
        new FaultPlan.Rule(1, "watch", "jobs", new Fault.Stalled(0, Duration.ofSeconds(2)));
    try (RandomWalkFixture fixture = fixture(late);
        Operator _ = fixture.process()) {
      String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 1s", "");
      fixture.maintenanceClass("slow", "builtin: {policy: {force: true}}", slow, "none: {}");
      fixture.maintenance("first", NODE, Optional.of("slow"));
      fixture.maintenance("second", NODE, Optional.of("slow"));
      fixture
          .eventually()
          .until(() -> fixture.witness.ended.containsAll(Set.of("first", "second")));
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }

  /** Whatever becomes of the watch, what was written is known by the answers. */
  private static Stream<Fault> watchesThatMisbehave() {
    return Stream.of(
        new Fault.Stalled(0, Duration.ofSeconds(1)),
        new Fault.Stalled(30, Duration.ofSeconds(1)),
        new Fault.Cut(25),
        new Fault.Repeated(30),
        new Fault.Swapped(30));
  }

  @ParameterizedTest
  @MethodSource("watchesThatMisbehave")
  void takesTwoWritesToBeScheduledHoweverTheWatchBehaves(Fault fault) {
    int count = 40;
    FaultPlan.Rule rule = new FaultPlan.Rule(1, "watch", "notifymaintenances", fault);
    AtomicInteger writes = new AtomicInteger();
    try (RandomWalkFixture fixture = fixture(rule)) {
      fixture.onCall =
          call -> {
            boolean write = call.verb() == ApiCall.Verb.PATCH;
            if (write && call.path().contains("/notifymaintenances/")) {
              var _ = writes.incrementAndGet();
            }
          };
      try (Operator _ = fixture.process()) {
        for (int i = 0; i < count; i++) {
          fixture.maintenance("m-" + i, NODE, CLASSLESS);
        }
        for (int i = 0; i < count; i++) {
          awaitState(fixture, "m-" + i, MaintenanceState.SCHEDULED);
        }
        fixture.maintenance("last", NODE, CLASSLESS);
        awaitState(fixture, "last", MaintenanceState.SCHEDULED);

        assertThat(writes).hasValue(2 * (count + 1));
      }
    }
  }

  @Test
  void isStillServedAfterItsNodeWasGoneTooEarly() {
    try (RandomWalkFixture fixture = fixture()) {
      fixture.onLeave = () -> fixture.cluster.delete("Node", "", NODE, null);
      try (Operator _ = fixture.process()) {
        fixture.maintenance("m", NODE, Optional.of("all-well"));
        awaitWait(fixture, "m", "does not exist");
        delete(fixture, "m");
        awaitGone(fixture, "m");
      }
    }
  }

  private static void makeAnew(RandomWalkFixture fixture) {
    fixture.pause(2_000); // times of creation are in seconds
    assertThat(fixture.cluster.delete("Node", "", NODE, null).isSuccess()).isTrue();
    fixture.pause(2_000);
    fixture.addNode(NODE);
  }

  private static void awaitTakenOut(RandomWalkFixture fixture, String name) {
    String uid = find(fixture, name).orElseThrow().uid();
    fixture.eventually().until(() -> fixture.witness.isTakenOut(NODE, uid));
  }

  @Test
  void aNodeThatIsMadeAnewWhileItIsValidatedIsHeldAgain() {
    try (RandomWalkFixture fixture = fixture();
        Operator _ = fixture.process()) {
      String quick = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 20ms", "");
      String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 30s", "");
      fixture.maintenanceClass("slow-proof", "builtin: {policy: {force: true}}", quick, slow);
      fixture.maintenance("m", NODE, Optional.of("slow-proof"));
      awaitWait(fixture, "m", "the validation Job");
      makeAnew(fixture);
      awaitTakenOut(fixture, "m");
      assertThat(find(fixture, "m").orElseThrow().facts().state())
          .isEqualTo(MaintenanceState.VALIDATING);
    }
  }

  @Test
  void aNodeThatIsMadeAnewAfterItFailedIsHeldAgainUntilSomebodyUncordonsIt() {
    try (RandomWalkFixture fixture = fixture();
        Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("fails-work"));
      awaitState(fixture, "m", MaintenanceState.INCOMPLETE);
      makeAnew(fixture);
      awaitTakenOut(fixture, "m");
      uncordon(fixture);
      fixture
          .eventually()
          .until(() -> find(fixture, "m").filter(each -> !each.facts().isOver()).isEmpty());
      fixture.pause(5_000);
      assertThat(requireNonNull(fixture.witness.nodes().get(NODE)).facts().unschedulable())
          .isFalse();
    }
  }

  @Test
  void aJobOfAClassIsNotDeletedBeforeItsMaintenance() {
    try (RandomWalkFixture fixture = fixture();
        Operator _ = fixture.process()) {
      AtomicInteger jobs = new AtomicInteger();
      fixture.onCall =
          call -> {
            if (call.verb() == ApiCall.Verb.CREATE && call.path().endsWith("/jobs")) {
              jobs.incrementAndGet();
            }
          };
      String passing =
          RandomWalkFixture.job(
              "\"sim.drydock.dev/complete-after\": 20ms", "ttlSecondsAfterFinished: 0,");
      fixture.maintenanceClass(
          "ttl", "builtin: {policy: {force: true}}", passing, passing + ", soakSeconds: 8");
      fixture.maintenance("m", NODE, Optional.of("ttl"));
      fixture.eventually().until(() -> fixture.witness.ended.contains("m"));
      assertThat(jobs).as("one for the work and one for its validation").hasValue(2);
    }
  }

  @Test
  void aMaintenanceThatCannotGoOnSaysWhyAndKeepsNobodyElseWaiting() {
    try (RandomWalkFixture fixture = fixture();
        Operator _ = fixture.process()) {
      fixture.maintenanceClass(
          "unknown-kind",
          "template: {apiVersion: example.com/v1, kind: Emptier, spec: {}, completionCondition: Done}",
          "outside: {}",
          "outside: {}");
      fixture.maintenance("first", NODE, Optional.of("unknown-kind"));
      awaitWait(fixture, "first", "example.com/v1");
      fixture.maintenance("second", NODE, CLASSLESS);
      awaitState(fixture, "second", MaintenanceState.SCHEDULED);
      schedule(fixture, "second");
      awaitState(fixture, "second", MaintenanceState.STARTED);
      delete(fixture, "first");
      awaitHolders(fixture, Set.of("notifymaintenance/default/second"));
    }
  }

  @Test
  void waitsWhileTheHoldsCannotBeReadAndGoesOnThen() {
    try (RandomWalkFixture fixture = fixture();
        Operator _ = fixture.process()) {
      annotateHolds(fixture, "garbage");
      fixture.maintenance("m", NODE, Optional.of("all-well"));
      awaitWait(fixture, "m", "is not readable");
      annotateHolds(fixture, null);
      awaitGoneAfterItBegan(fixture);
    }
  }

  private static void annotateHolds(RandomWalkFixture fixture, @Nullable String text) {
    ObjectNode patch = RandomWalkFixture.yaml("{metadata: {annotations: {}}}");
    ((ObjectNode) patch.at("/metadata/annotations")).put(HoldsAnnotation.NAME, text);
    assertThat(fixture.cluster.patch("Node", "", NODE, "", patch).isSuccess()).isTrue();
  }

  @Test
  void aNodeThatWasCordonedWhileItWasHeldStaysOutForWhoNeedsIt() {
    try (RandomWalkFixture fixture = fixture();
        Operator _ = fixture.process()) {
      fixture.maintenance("held", NODE, Optional.of("outside"));
      awaitState(fixture, "held", MaintenanceState.DRAINED);
      fixture.maintenance("own", NODE, CLASSLESS);
      awaitState(fixture, "own", MaintenanceState.SCHEDULED);
      schedule(fixture, "own");
      awaitState(fixture, "own", MaintenanceState.STARTED);

      delete(fixture, "held");
      awaitHolders(fixture, Set.of("notifymaintenance/default/own"));

      assertThat(node(fixture).facts().unschedulable()).isTrue();
      assertThat(find(fixture, "own").orElseThrow().facts().state())
          .isEqualTo(MaintenanceState.STARTED);
      uncordon(fixture);
      fixture.eventually().until(() -> fixture.witness.ended.containsAll(Set.of("held", "own")));
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }

  @Test
  void whatIsDeletedBeforeItBeganLeavesNoHold() {
    try (RandomWalkFixture fixture = fixture()) {
      fixture.maintenance("m", NODE, Optional.of("all-well"));
      // adopted, scheduled, held: then it dies
      DyingProcess life = DyingProcess.atWrite(3, true);
      try (Operator _ = fixture.process(life)) {
        fixture.eventually().until(life::isDead);
      }
      assertThat(RandomWalkObserver.holders(node(fixture)))
          .containsExactly("notifymaintenance/default/m");
      delete(fixture, "m");
      try (Operator _ = fixture.process()) {
        awaitGone(fixture, "m");
        fixture.eventually().until(() -> !node(fixture).facts().unschedulable());
      }
    }
  }
}

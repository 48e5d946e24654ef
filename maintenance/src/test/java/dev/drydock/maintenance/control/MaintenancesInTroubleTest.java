package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.kube.HoldsAnnotation;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.WalkYard.Operator;
import dev.drydock.sim.fault.Fault;
import dev.drydock.sim.fault.FaultPlan;
import java.time.Clock;
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
class MaintenancesInTroubleTest {
  private static final String NODE = "a-1";
  private static final Optional<String> CLASSLESS = Optional.empty();

  private static WalkYard yard(FaultPlan.Rule... faults) {
    return new WalkYard(1, FaultPlan.of(faults), Clock.systemUTC());
  }

  private static Optional<MaintenanceSeen> find(WalkYard yard, String name) {
    return yard.witness.maintenances().stream()
        .filter(each -> each.facts().identity().name().equals(name))
        .findFirst();
  }

  private static void awaitState(WalkYard yard, String name, MaintenanceState state) {
    Yard.eventually()
        .until(() -> find(yard, name).filter(each -> each.facts().state() == state).isPresent());
  }

  private static void awaitWait(WalkYard yard, String name, String words) {
    Yard.eventually()
        .until(
            () ->
                find(yard, name)
                    .filter(each -> Fields.text(each.status(), "waitingFor").contains(words))
                    .isPresent());
  }

  private static void awaitGone(WalkYard yard, String name) {
    Yard.eventually().until(() -> find(yard, name).isEmpty());
  }

  private static void delete(WalkYard yard, String name) {
    assertThat(yard.cluster.delete("NotifyMaintenance", "default", name, null).isSuccess())
        .isTrue();
  }

  private static void schedule(WalkYard yard, String name) {
    yard.patch("Node", NODE, "{metadata: {labels: {maintenance/%s: ''}}}".formatted(name));
    yard.patch("Node", NODE, "{spec: {unschedulable: true}}");
  }

  private static void uncordon(WalkYard yard) {
    yard.patch("Node", NODE, "{spec: {unschedulable: null}}");
  }

  private static NodeSeen node(WalkYard yard) {
    return Optional.ofNullable(yard.witness.nodes().get(NODE)).orElseThrow();
  }

  private static void awaitHolders(WalkYard yard, Set<String> holders) {
    Yard.eventually().until(() -> WalkWitness.holders(node(yard)), holders::equals);
  }

  @Test
  void looksAtTheNodePastTheCacheBeforeEachJob() {
    try (WalkYard yard = yard();
        Operator _ = yard.process()) {
      yard.maintenance("m", NODE, Optional.of("all-well"));
      awaitGoneAfterItBegan(yard);
      assertThat(yard.witness.wrong).isEmpty();
    }
  }

  private static void awaitGoneAfterItBegan(WalkYard yard) {
    Yard.eventually().until(() -> yard.witness.ended.contains("m"));
    awaitGone(yard, "m");
  }

  @Test
  void doesNotBeginAJobBesideOneThatTheWatchHasNotShown() {
    FaultPlan.Rule late =
        new FaultPlan.Rule(1, "watch", "jobs", new Fault.Stalled(0, Duration.ofSeconds(2)));
    try (WalkYard yard = yard(late);
        Operator _ = yard.process()) {
      String slow = WalkYard.job("\"sim.drydock.dev/complete-after\": 1s", "");
      yard.clazz("slow", "builtin: {policy: {force: true}}", slow, "none: {}");
      yard.maintenance("first", NODE, Optional.of("slow"));
      yard.maintenance("second", NODE, Optional.of("slow"));
      Yard.eventually().until(() -> yard.witness.ended.containsAll(Set.of("first", "second")));
      assertThat(yard.witness.wrong).isEmpty();
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
    try (WalkYard yard = yard(rule)) {
      yard.onCall =
          call -> {
            boolean write = call.verb() == ApiCall.Verb.PATCH;
            if (write && call.path().contains("/notifymaintenances/")) {
              var _ = writes.incrementAndGet();
            }
          };
      try (Operator _ = yard.process()) {
        for (int i = 0; i < count; i++) {
          yard.maintenance("m-" + i, NODE, CLASSLESS);
        }
        for (int i = 0; i < count; i++) {
          awaitState(yard, "m-" + i, MaintenanceState.SCHEDULED);
        }
        yard.maintenance("last", NODE, CLASSLESS);
        awaitState(yard, "last", MaintenanceState.SCHEDULED);

        assertThat(writes).hasValue(2 * (count + 1));
      }
    }
  }

  @Test
  void isStillServedAfterItsNodeWasGoneTooEarly() {
    try (WalkYard yard = yard()) {
      yard.onLeave = () -> yard.cluster.delete("Node", "", NODE, null);
      try (Operator _ = yard.process()) {
        yard.maintenance("m", NODE, Optional.of("all-well"));
        awaitWait(yard, "m", "does not exist");
        delete(yard, "m");
        awaitGone(yard, "m");
      }
    }
  }

  @Test
  void aMaintenanceThatCannotGoOnSaysWhyAndKeepsNobodyElseWaiting() {
    try (WalkYard yard = yard();
        Operator _ = yard.process()) {
      yard.clazz(
          "unknown-kind",
          "template: {apiVersion: example.com/v1, kind: Emptier, spec: {}, completionCondition: Done}",
          "outside: {}",
          "outside: {}");
      yard.maintenance("first", NODE, Optional.of("unknown-kind"));
      awaitWait(yard, "first", "example.com/v1");
      yard.maintenance("second", NODE, CLASSLESS);
      awaitState(yard, "second", MaintenanceState.SCHEDULED);
      schedule(yard, "second");
      awaitState(yard, "second", MaintenanceState.STARTED);
      delete(yard, "first");
      awaitHolders(yard, Set.of("notifymaintenance/default/second"));
    }
  }

  @Test
  void waitsWhileTheHoldsCannotBeReadAndGoesOnThen() {
    try (WalkYard yard = yard();
        Operator _ = yard.process()) {
      annotateHolds(yard, "garbage");
      yard.maintenance("m", NODE, Optional.of("all-well"));
      awaitWait(yard, "m", "is not readable");
      annotateHolds(yard, null);
      awaitGoneAfterItBegan(yard);
    }
  }

  private static void annotateHolds(WalkYard yard, @Nullable String text) {
    ObjectNode patch = WalkYard.yaml("{metadata: {annotations: {}}}");
    ((ObjectNode) patch.at("/metadata/annotations")).put(HoldsAnnotation.NAME, text);
    assertThat(yard.cluster.patch("Node", "", NODE, "", patch).isSuccess()).isTrue();
  }

  @Test
  void aNodeThatWasCordonedWhileItWasHeldStaysOutForWhoNeedsIt() {
    try (WalkYard yard = yard();
        Operator _ = yard.process()) {
      yard.maintenance("held", NODE, Optional.of("outside"));
      awaitState(yard, "held", MaintenanceState.DRAINED);
      yard.maintenance("own", NODE, CLASSLESS);
      awaitState(yard, "own", MaintenanceState.SCHEDULED);
      schedule(yard, "own");
      awaitState(yard, "own", MaintenanceState.STARTED);

      delete(yard, "held");
      awaitHolders(yard, Set.of("notifymaintenance/default/own"));

      assertThat(node(yard).facts().unschedulable()).isTrue();
      assertThat(find(yard, "own").orElseThrow().facts().state())
          .isEqualTo(MaintenanceState.STARTED);
      uncordon(yard);
      Yard.eventually().until(() -> yard.witness.ended.containsAll(Set.of("held", "own")));
      assertThat(yard.witness.wrong).isEmpty();
    }
  }

  @Test
  void whatIsDeletedBeforeItBeganLeavesNoHold() {
    try (WalkYard yard = yard()) {
      yard.maintenance("m", NODE, Optional.of("all-well"));
      // adopted, scheduled, held: then it dies
      DyingWriter life = new DyingWriter(3, true);
      try (Operator _ = yard.process(life)) {
        Yard.eventually().until(life::isDead);
      }
      assertThat(WalkWitness.holders(node(yard))).containsExactly("notifymaintenance/default/m");
      delete(yard, "m");
      try (Operator _ = yard.process()) {
        awaitGone(yard, "m");
        Yard.eventually().until(() -> !node(yard).facts().unschedulable());
      }
    }
  }
}

package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.testkit.DyingProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Schedulers, clients and people do what comes to their minds, calls and watches go wrong, and the
 * operator is killed after a write and followed by another: whatever happens, the invariants hold,
 * every maintenance says what it waits for, and in the end all are gone and nothing of them is
 * left. A failure names its seed; {@code -Dwalk.seed=N} walks that one alone.
 */
class RandomWalksTest {
  private static final int ACTIONS = 60;
  private static final int FAULTS = 24;
  private static final int LATEST_CALL = 40;
  private static final int LONGEST_LIFE = 150;
  private static final List<String> RESOURCES =
      List.of(
          "notifymaintenances",
          "notifymaintenances",
          "notifymaintenances/status",
          "nodes",
          "nodes",
          "nodes/status",
          "jobs",
          "jobs",
          "drainrequests",
          "drainrequests/status",
          "maintenanceclasses",
          "pods/eviction",
          "pods",
          "events",
          FaultPlan.ANY);

  static LongStream seeds() {
    Long one = Long.getLong("walk.seed");
    return one == null ? LongStream.rangeClosed(1, 12) : LongStream.of(one);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noWalkBreaksAnInvariant(long seed) {
    walk(seed, false);
  }

  /**
   * Also if a tenant forges evidence, and an admin removes finalizers, annotations, holds, ledgers
   * and Leases. Operators are elected, and there are campaigns.
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noWalkAmongStrangersBreaksAnInvariant(long seed) {
    walk(seed, true);
  }

  private static void walk(long seed, boolean amongStrangers) {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    FaultPlan plan =
        FaultPlan.random(seed, FAULTS, RESOURCES, LATEST_CALL)
            .forUser(RandomWalkFixture.OPERATOR)
            .withClock(by -> ahead.updateAndGet(so -> so.plus(by)));
    try (RandomWalkFixture fixture = new RandomWalkFixture(seed, plan, ahead, amongStrangers)) {
      new Walk(fixture, seed, amongStrangers).toTheEnd();
    }
  }

  /** One walk. */
  private static final class Walk {
    private final RandomWalkFixture fixture;
    private final RandomWalkActors actors;
    private final Random random;
    private final long seed;
    private final Optional<RandomWalkStrangers> strangers;
    private Operator operator;

    Walk(RandomWalkFixture fixture, long seed, boolean amongStrangers) {
      this.fixture = fixture;
      this.seed = seed;
      actors = new RandomWalkActors(fixture, seed);
      strangers =
          amongStrangers
              ? Optional.of(new RandomWalkStrangers(fixture, seed, actors.entries::add))
              : Optional.empty();
      random = new Random(-seed);
      operator = fixture.process(mortal());
    }

    private DyingProcess mortal() {
      return DyingProcess.atWrite(1 + random.nextInt(LONGEST_LIFE), random.nextBoolean());
    }

    void toTheEnd() {
      try {
        wander();
        everythingIsExplained();
        whatIsDeletedIsLetGo();
        allEnds();
        assertThat(fixture.witness.wrong).as(this::story).isEmpty();
      } finally {
        operator.close();
      }
    }

    private String story() {
      return "seed %d; struck: %s; actions: %s"
          .formatted(seed, fixture.plan.struck(), String.join(", ", actors.entries));
    }

    private void wander() {
      for (int i = 0; i < ACTIONS; i++) {
        actors.act();
        strangers.ifPresent(RandomWalkStrangers::act);
        operator.resync(); // as the cord's watch would have it
        fixture.pause(random.nextInt(50));
        if (operator.life().isDead()) {
          succeed(mortal());
        }
      }
      strangers.ifPresent(RandomWalkStrangers::endCampaign);
      succeed(RandomWalkFixture.immortal());
    }

    private void succeed(DyingProcess life) {
      operator.close();
      operator = fixture.process(life);
    }

    /** I8. */
    private void everythingIsExplained() {
      fixture.stopped = Optional.empty();
      operator.resync();
      eventually(
          "I8: what it waits for",
          () ->
              fixture.witness.maintenances().stream()
                  .filter(each -> !each.facts().deleted() && !each.facts().isOver())
                  .filter(
                      each ->
                          each.facts().state() == MaintenanceState.NONE
                              || Fields.text(each.status(), "waitingFor").isEmpty())
                  .map(each -> each + " " + each.status())
                  .toList());
    }

    /** I11. */
    private void whatIsDeletedIsLetGo() {
      fixture.stopped = Optional.of("the cord is pulled");
      operator.resync();
      fixture.witness.maintenances().stream()
          .map(NotifyMaintenanceObject::facts)
          .filter(facts -> !facts.deleted())
          .forEach(actors::delete);
      eventually(
          "I11: holds of what was deleted before the work, or proved fit",
          () ->
              fixture.witness.maintenances().stream()
                  .map(NotifyMaintenanceObject::facts)
                  .filter(RandomWalkActors::isLetGo)
                  .filter(this::isHeld)
                  .map(facts -> facts.identity() + " " + facts.state())
                  .toList());
      eventually("I11: holds of maintenances that are gone", this::orphans);
    }

    private List<String> orphans() {
      Set<String> owners = new HashSet<>();
      fixture.witness.maintenances().forEach(each -> owners.add(each.facts().holder()));
      return fixture.witness.nodes().values().stream()
          .flatMap(node -> RandomWalkObserver.holders(node).stream())
          .filter(holder -> holder.startsWith(MaintenanceFacts.HOLDER_PREFIX))
          .filter(holder -> !owners.contains(holder))
          .toList();
    }

    private boolean isHeld(MaintenanceFacts facts) {
      MaintenanceNodeObject node = fixture.witness.nodes().get(facts.node());
      return node != null && RandomWalkObserver.holders(node).contains(facts.holder());
    }

    /** I9. */
    private void allEnds() {
      strangers.ifPresent(RandomWalkStrangers::cleanUp);
      fixture.witness.nodes().keySet().forEach(actors::uncordon);
      eventually(
          "maintenances",
          () ->
              fixture.witness.maintenances().stream()
                  .map(each -> each + " " + each.facts())
                  .toList());
      eventually(
          "marks on nodes",
          () -> fixture.witness.nodes().values().stream().filter(Walk::isMarked).toList());
      eventually(
          "notices that were not kept",
          () ->
              fixture.witness.ended.stream()
                  .filter(name -> !fixture.notices.contains(name + " MaintenanceComplete"))
                  .toList());
    }

    private static boolean isMarked(MaintenanceNodeObject node) {
      return node.facts().unschedulable()
          || node.holds().isPresent()
          || !node.facts().maintenanceLabels().isEmpty();
    }

    /** Until there are none any more. */
    private void eventually(String what, Supplier<List<?>> left) {
      fixture
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(left.get())
                      .as(() -> what + "; " + fixture.witness.wrong + "; " + story())
                      .isEmpty());
    }
  }
}

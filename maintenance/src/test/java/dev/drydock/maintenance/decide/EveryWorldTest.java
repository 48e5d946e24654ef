package dev.drydock.maintenance.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.MaintenanceStep.Complete;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import dev.drydock.maintenance.decide.MaintenanceStep.Wait;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Walks to every world that a maintenance can get into, by anything that anybody does in any order,
 * and by a crash after any write, and checks what must hold in all of them.
 */
class EveryWorldTest {
  private static final int MANY_STEPS = 12;

  /** All in which there is a maintenance. */
  private static final Set<World> REACHABLE = new HashSet<>();

  @BeforeAll
  static void walk() {
    Deque<World> open = new ArrayDeque<>(List.of(World.fresh()));
    REACHABLE.add(World.fresh());
    while (!open.isEmpty()) {
      World world = open.poll();
      List<World> next = world.afterAnything();
      next.addAll(world.writes(world.decide()));
      for (World each : next) {
        World bare = each.bare();
        if (bare.maintenance().isPresent() && REACHABLE.add(bare)) {
          open.add(bare);
        }
      }
    }
  }

  /** One call for all worlds: a hundred thousand assertions take a minute. */
  private static void inEveryWorld(Predicate<World> promise) {
    assertThat(REACHABLE.stream().filter(promise.negate()).findFirst()).isEmpty();
  }

  /** The world in which nothing is left to be done. */
  private static World settled(World from) {
    World world = from;
    for (int i = 0; i < MANY_STEPS; i++) {
      if (world.maintenance().isEmpty()) {
        return world;
      }
      List<World> writes = world.writes(world.decide());
      if (writes.isEmpty()) {
        return world;
      }
      world = writes.getLast();
    }
    throw new AssertionError("no end from " + from);
  }

  @Test
  void thereAreMany() {
    assertThat(REACHABLE).hasSizeGreaterThan(10_000);
    for (MaintenanceState state : MaintenanceState.values()) {
      if (state != MaintenanceState.UNKNOWN) {
        assertThat(REACHABLE.stream().anyMatch(world -> of(world).state() == state))
            .as(state.text())
            .isTrue();
      }
    }
  }

  private static MaintenanceFacts of(World world) {
    return world.maintenance().orElseThrow();
  }

  @Test
  void everyWorldSettlesAndSaysWhatItWaitsFor() {
    inEveryWorld(
        world -> {
          World settled = settled(world);
          return settled.maintenance().filter(left -> !left.isOver()).isEmpty()
              || !((Wait) settled.decide()).waitingFor().isEmpty();
        });
  }

  @Test
  void deletingAndUncordoningAlwaysEndsItWithoutALabelLeft() {
    inEveryWorld(
        world -> {
          World end = settled(settled(world).deletedAndUncordoned());
          Set<String> labels = end.node().map(MaintainedNode::maintenanceLabels).orElse(Set.of());
          return end.maintenance().isEmpty() && (!of(world).finalizer() || labels.isEmpty());
        });
  }

  @Test
  void whatWasBegunAtTheEndIsFinishedAfterACrash() {
    inEveryWorld(
        world ->
            !(world.decide() instanceof Complete)
                || world.writes(world.decide()).stream()
                    .allMatch(
                        crashed ->
                            settled(crashed)
                                .maintenance()
                                .filter(left -> !left.isOver())
                                .isEmpty()));
  }

  @Test
  void otherLabelsAndTheCordonAreNeverTouched() {
    inEveryWorld(
        world ->
            world.node().isEmpty()
                || world.writes(world.decide()).stream()
                    .map(after -> after.node().orElseThrow())
                    .allMatch(
                        node ->
                            node.labels().contains(World.FOREIGN)
                                && node.unschedulable() == world.node().get().unschedulable()));
  }

  @Test
  void onlyKnownTransitionsHappen() {
    inEveryWorld(
        world ->
            !(world.decide() instanceof Move move) || next(of(world).state()).contains(move.to()));
  }

  private static Set<MaintenanceState> next(MaintenanceState from) {
    return switch (from) {
      case NONE -> Set.of(MaintenanceState.SCHEDULED);
      case SCHEDULED -> Set.of(MaintenanceState.STARTED);
      case STARTED -> Set.of(MaintenanceState.SLA_EXPIRED, MaintenanceState.DRAINED);
      case SLA_EXPIRED -> Set.of(MaintenanceState.DRAINED);
      case DRAINED -> Set.of(MaintenanceState.VALIDATING, MaintenanceState.INCOMPLETE);
      case VALIDATING -> Set.of(MaintenanceState.INCOMPLETE);
      case INCOMPLETE, UNKNOWN -> Set.of();
    };
  }

  @Test
  void eachNoticeIsInTheOutboxBeforeWhatItTellsIsWritten() {
    inEveryWorld(
        world -> {
          Optional<NoticeEvent> notice = notice(world.decide());
          if (notice.isEmpty()) {
            return true;
          }
          List<World> writes = world.writes(world.decide());
          World beforeLast = writes.get(writes.size() - 2);
          return beforeLast.outbox().contains(notice.get())
              && of(beforeLast).state() == of(world).state()
              && of(beforeLast).finalizer();
        });
  }

  private static Optional<NoticeEvent> notice(MaintenanceStep step) {
    return switch (step) {
      case Move move -> Optional.of(move.notice());
      case MaintenanceStep.Terminate(NoticeEvent notice) -> Optional.of(notice);
      case Complete _ -> Optional.of(NoticeEvent.MAINTENANCE_COMPLETE);
      default -> Optional.empty();
    };
  }

  @Test
  void anEmptyNodeIsNeverClaimedByAnybodyButItsClients() {
    inEveryWorld(
        world ->
            !(world.decide() instanceof Move move)
                || move.to() != MaintenanceState.DRAINED
                || of(world)
                    .annotation(MaintenanceNames.READY)
                    .equals(Optional.of(MaintenanceNames.TRUE)));
  }
}

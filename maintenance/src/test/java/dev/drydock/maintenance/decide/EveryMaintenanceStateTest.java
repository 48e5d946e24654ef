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
class EveryMaintenanceStateTest {
  private static final int MANY_STEPS = 12;

  /** All in which there is a maintenance. */
  private static final Set<MaintenanceModel> REACHABLE = new HashSet<>();

  @BeforeAll
  static void walk() {
    Deque<MaintenanceModel> open = new ArrayDeque<>(List.of(MaintenanceModel.fresh()));
    REACHABLE.add(MaintenanceModel.fresh());
    while (!open.isEmpty()) {
      MaintenanceModel model = open.poll();
      List<MaintenanceModel> next = model.afterAnything();
      next.addAll(model.writes(model.decide()));
      for (MaintenanceModel each : next) {
        MaintenanceModel bare = each.bare();
        if (bare.maintenance().isPresent() && REACHABLE.add(bare)) {
          open.add(bare);
        }
      }
    }
  }

  /** One call for all worlds: a hundred thousand assertions take a minute. */
  private static void inEveryWorld(Predicate<MaintenanceModel> promise) {
    assertThat(REACHABLE.stream().filter(promise.negate()).findFirst()).isEmpty();
  }

  /** The world in which nothing is left to be done. */
  private static MaintenanceModel settled(MaintenanceModel from) {
    MaintenanceModel model = from;
    for (int i = 0; i < MANY_STEPS; i++) {
      if (model.maintenance().isEmpty()) {
        return model;
      }
      List<MaintenanceModel> writes = model.writes(model.decide());
      if (writes.isEmpty()) {
        return model;
      }
      model = writes.getLast();
    }
    throw new AssertionError("no end from " + from);
  }

  @Test
  void thereAreMany() {
    assertThat(REACHABLE).hasSizeGreaterThan(10_000);
    for (MaintenanceState state : MaintenanceState.values()) {
      if (state != MaintenanceState.UNKNOWN) {
        assertThat(REACHABLE.stream().anyMatch(model -> of(model).state() == state))
            .as(state.text())
            .isTrue();
      }
    }
  }

  private static MaintenanceFacts of(MaintenanceModel model) {
    return model.maintenance().orElseThrow();
  }

  @Test
  void everyWorldSettlesAndSaysWhatItWaitsFor() {
    inEveryWorld(
        model -> {
          MaintenanceModel settled = settled(model);
          return settled.maintenance().filter(left -> !left.isOver()).isEmpty()
              || !((Wait) settled.decide()).waitingFor().isEmpty();
        });
  }

  @Test
  void deletingAndUncordoningAlwaysEndsItWithoutALabelLeft() {
    inEveryWorld(
        model -> {
          MaintenanceModel end = settled(settled(model).deletedAndUncordoned());
          Set<String> labels = end.node().map(MaintainedNode::maintenanceLabels).orElse(Set.of());
          return end.maintenance().isEmpty() && (!of(model).finalizer() || labels.isEmpty());
        });
  }

  @Test
  void whatWasBegunAtTheEndIsFinishedAfterACrash() {
    inEveryWorld(
        model ->
            !(model.decide() instanceof Complete)
                || model.writes(model.decide()).stream()
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
        model ->
            model.node().isEmpty()
                || model.writes(model.decide()).stream()
                    .map(after -> after.node().orElseThrow())
                    .allMatch(
                        node ->
                            node.labels().contains(MaintenanceModel.FOREIGN)
                                && node.unschedulable() == model.node().get().unschedulable()));
  }

  @Test
  void onlyKnownTransitionsHappen() {
    inEveryWorld(
        model ->
            !(model.decide() instanceof Move move) || next(of(model).state()).contains(move.to()));
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
        model -> {
          Optional<NoticeEvent> notice = notice(model.decide());
          if (notice.isEmpty()) {
            return true;
          }
          List<MaintenanceModel> writes = model.writes(model.decide());
          MaintenanceModel beforeLast = writes.get(writes.size() - 2);
          return beforeLast.outbox().contains(notice.get())
              && of(beforeLast).state() == of(model).state()
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
        model ->
            !(model.decide() instanceof Move move)
                || move.to() != MaintenanceState.DRAINED
                || of(model)
                    .annotation(MaintenanceNames.READY)
                    .equals(Optional.of(MaintenanceNames.TRUE)));
  }
}

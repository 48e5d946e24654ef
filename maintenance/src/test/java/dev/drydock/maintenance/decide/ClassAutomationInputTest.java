package dev.drydock.maintenance.decide;

import static dev.drydock.maintenance.decide.TestMaintenances.NOW;
import static dev.drydock.maintenance.decide.TestMaintenances.deleted;
import static dev.drydock.maintenance.decide.TestMaintenances.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.maintenance.decide.ClassAutomationInput.NodeState;
import dev.drydock.maintenance.decide.NodeTurns.NodeJob;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How what was read becomes what decisions are made on. */
class ClassAutomationInputTest {
  private static final boolean[] EITHER = {false, true};

  @ParameterizedTest
  @EnumSource
  void drainsAndPermissionsMatterInTheirStatesOnly(MaintenanceState state) {
    boolean drains = state == MaintenanceState.STARTED || state == MaintenanceState.SLA_EXPIRED;

    assertThat(ClassAutomationInput.isDraining(in(state))).isEqualTo(drains);
    assertThat(ClassAutomationInput.isDraining(deleted(in(state)))).isFalse();
    assertThat(ClassAutomationInput.isLeaving(in(state)))
        .isEqualTo(state == MaintenanceState.SCHEDULED);
  }

  @Test
  void aNodeIsMadeAnewIfItWasCreatedAfterTheMaintenanceHadTakenIt() {
    MaintenanceFacts maintenance = in(MaintenanceState.STARTED);
    Instant created = maintenance.identity().created();
    List<Instant> times =
        List.of(
            created.minusSeconds(1),
            created,
            created.plusSeconds(1),
            created.plusSeconds(2),
            created.plusSeconds(3));
    for (Instant node : times) {
      for (Instant begun : times) {
        assertThat(state(maintenance, false, false, false, node, begun).madeAnew())
            .as("node of %s, begun %s", node, begun)
            .isEqualTo(node.isAfter(begun) && node.isAfter(created));
      }
    }
  }

  @Test
  void aNodeIsAsItWasRead() {
    MaintenanceFacts maintenance = in(MaintenanceState.STARTED);
    for (boolean held : EITHER) {
      for (boolean labelled : EITHER) {
        for (boolean cordoned : EITHER) {
          for (boolean ready : EITHER) {
            String label = labelled ? maintenance.nodeLabel() : MaintenanceNames.label("other");
            assertThat(
                    NodeState.of(
                        maintenance,
                        new MaintainedNode("n1", cordoned, Set.of(label)),
                        held,
                        ready,
                        NOW.minusSeconds(600),
                        NOW))
                .isEqualTo(new NodeState(held, labelled, cordoned, ready, false));
          }
        }
      }
    }
  }

  private static NodeState state(
      MaintenanceFacts maintenance,
      boolean held,
      boolean cordoned,
      boolean ready,
      Instant created,
      Instant begun) {
    return NodeState.of(
        maintenance, new MaintainedNode("n1", cordoned, Set.of()), held, ready, created, begun);
  }

  private static MaintenanceFacts withClass(String name, MaintenanceState state) {
    MaintenanceFacts of = in(state);
    return new MaintenanceFacts(
        TestMaintenances.identity(name),
        new NotifyMaintenanceSpec("n1", name, "planned", null, null, null, "class"),
        of.deleted(),
        of.finalizer(),
        of.labelled(),
        of.annotations(),
        state,
        of.slaExpires(),
        of.conditions());
  }

  @Test
  void aRunningJobOfAnotherKeepsTheNodeBusyAlsoWhenItsMaintenanceIsGone() {
    MaintenanceFacts maintenance = withClass("own", MaintenanceState.STARTED);
    for (boolean running : EITHER) {
      for (boolean ofOther : EITHER) {
        for (boolean leftBehind : EITHER) {
          for (boolean turnOfOther : EITHER) {
            MaintenanceFacts other =
                withClass(
                    "other", turnOfOther ? MaintenanceState.DRAINED : MaintenanceState.SCHEDULED);

            Optional<String> busy =
                NodeTurns.busyWith(
                    maintenance,
                    List.of(other),
                    List.of(new NodeJob("Job ops/fw-1", running, ofOther, "ops/lost")),
                    leftBehind
                        ? List.of("user/ann", "gone/notifymaintenance/ops/lost")
                        : List.of("notifymaintenance/ops/lost", "gone/notifymaintenance/x/lost"));

            Optional<String> job =
                running && (ofOther || leftBehind)
                    ? Optional.of("Job ops/fw-1, which works on the node")
                    : Optional.empty();
            assertThat(busy)
                .as("running %s, of other %s, left %s", running, ofOther, leftBehind)
                .isEqualTo(job.or(() -> NodeTurns.before(maintenance, List.of(other))));
            assertThat(busy.isPresent()).isEqualTo(job.isPresent() || turnOfOther);
          }
        }
      }
    }
  }
}

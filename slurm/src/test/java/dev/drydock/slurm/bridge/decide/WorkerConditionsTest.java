package dev.drydock.slurm.bridge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerNode.DrainRecord;
import dev.drydock.slurm.worker.decide.WorkerPod;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerConditionsTest {
  private static final String DRAIN = "SlurmNodeStateDrain";
  private static final SlurmCondition TRUE = new SlurmCondition("True", "SlurmNodeState", "");
  private static final SlurmCondition FALSE = new SlurmCondition("False", "SlurmNodeState", "");
  private static final WorkerNode PLAIN =
      new WorkerNode("k1", Optional.empty(), false, Optional.empty());
  private static final WorkerNode CORDONED =
      new WorkerNode(
          "k1", Optional.of("why"), false, Optional.of(new DrainRecord(List.of("n1"), "why")));

  private static WorkerPod pod(Map<String, SlurmCondition> states) {
    return new WorkerPod(
        "slinky", "n1", "u", "k1", "n1", "Running", true, false, states, Optional.empty());
  }

  private static SlurmView seen(String reason, String... states) {
    return new SlurmView.Seen(Map.of("n1", new SlurmNode("n1", List.of(states), reason)), Map.of());
  }

  private static Map<String, SlurmCondition> changes(
      WorkerNode node, Map<String, SlurmCondition> present, SlurmView view) {
    return WorkerConditions.changes(node, pod(present), view);
  }

  @Test
  void everyStateOfSlurmIsACondition() {
    assertThat(changes(PLAIN, Map.of(), seen("", "MIXED", "NOT_RESPONDING")))
        .isEqualTo(Map.of("SlurmNodeStateMixed", TRUE, "SlurmNodeStateNotResponding", TRUE));
  }

  @Test
  void whatIsNoLongerSoIsFalseAndWhatIsSoAlreadyIsNotWritten() {
    assertThat(
            changes(
                PLAIN,
                Map.of("SlurmNodeStateMixed", TRUE, "SlurmNodeStateIdle", FALSE),
                seen("", "IDLE")))
        .isEqualTo(Map.of("SlurmNodeStateMixed", FALSE, "SlurmNodeStateIdle", TRUE));
    assertThat(changes(PLAIN, Map.of("SlurmNodeStateIdle", TRUE), seen("", "IDLE"))).isEmpty();
  }

  @Test
  void saysWhoseDrainItIs() {
    assertThat(changes(CORDONED, Map.of(), seen("why", "IDLE", "DRAIN")).get(DRAIN))
        .isEqualTo(new SlurmCondition("True", "NodeCordoned", "slurm-operator: why"));
    assertThat(changes(CORDONED, Map.of(), seen("[HC] disk", "IDLE", "DRAIN")).get(DRAIN))
        .isEqualTo(new SlurmCondition("True", "DrainedInSlurm", "[HC] disk"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutAnAnswerNothingIsDrained(boolean cordoned) {
    SlurmView down = new SlurmView.Unknown("no answer");
    SlurmCondition unknown = new SlurmCondition("Unknown", "SlurmUnreachable", "no answer");

    assertThat(changes(cordoned ? CORDONED : PLAIN, Map.of(DRAIN, TRUE), down))
        .isEqualTo(Map.of(DRAIN, unknown));
    assertThat(changes(cordoned ? CORDONED : PLAIN, Map.of(), down))
        .isEqualTo(cordoned ? Map.of(DRAIN, unknown) : Map.of());
  }

  @Test
  void aNodeThatSlurmDoesNotHaveIsNamed() {
    assertThat(changes(CORDONED, Map.of(), new SlurmView.Seen(Map.of(), Map.of())))
        .isEqualTo(
            Map.of(
                DRAIN, new SlurmCondition("Unknown", "SlurmNodeUnknown", "Slurm has no node n1")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UNKNOWN", "INVALID"})
  void aStateThatSlurmItselfDoesNotKnowIsNotDrained(String state) {
    assertThat(changes(CORDONED, Map.of(), seen("", state, "DRAIN")))
        .isEqualTo(
            Map.of(
                DRAIN,
                new SlurmCondition(
                    "Unknown",
                    "SlurmStateUnknown",
                    "Slurm says %s+DRAIN of node n1".formatted(state))));
    assertThat(changes(CORDONED, Map.of(), seen(""))).containsOnlyKeys(DRAIN);
  }
}

package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.request.DrainRequestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A drain that somebody else carries out, followed by whoever asked for it. */
abstract class DrainRequestClientContract extends EngineContract {
  private DrainRequestFixture requests;

  @BeforeEach
  void open() {
    requests = fixture.requests();
  }

  private DrainRequestClient ask(String name, String node, DrainListener listener) {
    Policy force =
        new Policy(true, null, null, null, null, null, null, null, null, null, null, null);
    DrainRequestSpec spec = DrainRequestSpec.of(node, "a test", "builtin", force);
    return DrainRequestClient.start(
        engine.kube(), new DrainRequestClient.Asked(fixture.namespace, name, spec), listener);
  }

  @Test
  void whoAsksIsToldWhatTheOperatorSeesAndHowItEnds() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 2);
    fixture.budget("keep", "guarded", 2);
    RecordedReports reports = new RecordedReports();
    try (DrainRequestClient drain = ask("asked", node, reports)) {
      fixture.eventually().until(() -> reports.blockedBy(BlockReason.NOT_SERVED));
      DrainFixture.serve(engine);
      fixture.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));
      fixture
          .eventually()
          .untilAsserted(
              () -> {
                assertThat(reports.blockers().getFirst().line())
                    .contains("guarded-0", "guarded-1", "keep", "add replicas");
                assertThat(reports.all.getLast().decision().progress().remaining()).isEqualTo(2);
              });
      fixture.kubectl("delete", "pdb", "keep", "-n", fixture.namespace);

      assertThat(fixture.end(drain.outcome()).end()).isEqualTo(DrainOutcome.End.DONE);
    }
    assertThat(requests.read("asked").getMetadata().getLabels())
        .containsEntry(DrainRequest.NODE_LABEL, node);
  }

  @Test
  void whoAsksIsToldWhenSomebodyDeletesTheRequest() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 1);
    fixture.budget("keep", "guarded", 1);
    DrainFixture.serve(engine);
    try (DrainRequestClient drain = ask("taken-away", node, DrainListener.NONE)) {
      requests.awaitComplete("taken-away", "False Blocked");
      requests.all().withName("taken-away").delete();

      assertThat(fixture.end(drain.outcome()).end()).isEqualTo(DrainOutcome.End.CANCELLED);
    }
    assertThat(fixture.podsOn(node)).hasSize(1);
  }
}

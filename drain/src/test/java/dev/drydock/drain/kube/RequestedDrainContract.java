package dev.drydock.drain.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.drain.decide.BlockReason;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A drain that somebody else carries out, followed by whoever asked for it. */
abstract class RequestedDrainContract extends EngineContract {
  private TestRequests requests;

  @BeforeEach
  void open() {
    requests = scene.requests();
  }

  private RequestedDrain ask(String name, String node, DrainListener listener) {
    Policy force = new Policy(true, null, null, null, null, null, null, null, null, null, null);
    DrainRequestSpec spec =
        new DrainRequestSpec(
            node, null, null, null, "a test", null, null, null, null, "builtin", force);
    return engine.request(scene.namespace, name, spec, listener);
  }

  @Test
  void whoAsksIsToldWhatTheOperatorSeesAndHowItEnds() {
    String node = scene.node();
    scene.pods(node, "guarded", 2);
    scene.budget("keep", "guarded", 2);
    Reports reports = new Reports();
    try (RequestedDrain drain = ask("asked", node, reports)) {
      Scene.eventually().until(() -> reports.blockedBy(BlockReason.NOT_SERVED));
      engine.serveRequests();
      Scene.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));
      assertThat(reports.blockers().getFirst().line())
          .contains("guarded-0", "guarded-1", "keep", "add replicas");
      assertThat(reports.all.getLast().decision().progress().remaining()).isEqualTo(2);
      scene.kubectl("delete", "pdb", "keep", "-n", scene.namespace);

      assertThat(drain.outcome())
          .succeedsWithin(60, TimeUnit.SECONDS)
          .satisfies(outcome -> assertThat(outcome.end()).isEqualTo(DrainOutcome.End.DONE));
    }
    assertThat(requests.read("asked").getMetadata().getLabels())
        .containsEntry(DrainRequest.NODE_LABEL, node);
  }

  @Test
  void whoAsksIsToldWhenSomebodyDeletesTheRequest() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("keep", "guarded", 1);
    engine.serveRequests();
    try (RequestedDrain drain = ask("taken-away", node, DrainListener.NONE)) {
      requests.awaitComplete("taken-away", "False Blocked");
      requests.all().withName("taken-away").delete();

      assertThat(drain.outcome())
          .succeedsWithin(60, TimeUnit.SECONDS)
          .satisfies(outcome -> assertThat(outcome.end()).isEqualTo(DrainOutcome.End.CANCELLED));
    }
    assertThat(scene.podsOn(node)).hasSize(1);
  }
}

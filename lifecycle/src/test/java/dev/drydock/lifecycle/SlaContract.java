package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.CallHook;
import dev.drydock.lifecycle.decide.SlaPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of a drain whose time is over. */
abstract class SlaContract extends PierContract {
  private static final String HOLDER = "lifecycle/" + Pier.DRAIN;

  @Test
  void stopsAndCanBeBegunAgain() {
    String node = blockedNode();
    Agent _ = pier.agent(node, Pier.atSla(SlaPolicy.STOP), CallHook.NONE);
    drainTooLong(node);

    assertThat(pier.last(node).outcome()).isEqualTo("SlaExpired");
    assertThat(pier.last(node).message())
        .isEqualTo(
            "the time is over with %s/guarded left; node %s stays held"
                .formatted(pier.namespace, node));
    assertThat(pier.holders(node)).containsExactly(HOLDER);
    openBudget();
    eventually()
        .during(Duration.ofSeconds(1))
        .until(() -> pier.pods(node).size() == 1 && !pier.isGoing(pier.pods(node).getFirst()));

    pier.event("again-" + node, Pier.DRAIN, node);
    pier.awaitGone("again-" + node);
    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void goesOnWithoutItsEventAlsoAfterARestart() {
    String node = blockedNode();
    Agent first = pier.agent(node, Pier.atSla(SlaPolicy.CONTINUE), CallHook.NONE);
    drainTooLong(node);

    assertThat(pier.last(node).outcome()).isEqualTo("SlaExpired");
    first.close();
    Agent _ = pier.agent(node, Pier.atSla(SlaPolicy.CONTINUE), CallHook.NONE);
    openBudget();

    eventually().until(() -> pier.pods(node).isEmpty());
    assertThat(pier.holders(node)).containsExactly(HOLDER);
    eventually()
        .until(
            () ->
                pier.kubectl("get", "node", node, "-o", "jsonpath={.metadata.annotations}")
                    .output()
                    .contains("drained for LifecycleEvent late-" + node));

    pier.event("uncordon-" + node, Pier.UNCORDON, node);
    pier.awaitGone("uncordon-" + node);
    assertThat(pier.isCordoned(node)).isFalse();
  }

  @Test
  void givingTheNodeBackEndsADrainThatWentOn() {
    String node = blockedNode();
    Agent _ = pier.agent(node, Pier.atSla(SlaPolicy.CONTINUE), CallHook.NONE);
    drainTooLong(node);

    pier.event("uncordon-" + node, Pier.UNCORDON, node);
    pier.awaitGone("uncordon-" + node);

    openBudget();
    eventually()
        .during(Duration.ofSeconds(1))
        .until(() -> pier.pods(node).size() == 1 && !pier.isGoing(pier.pods(node).getFirst()));
    assertThat(pier.isCordoned(node)).isFalse();
  }

  @Test
  void deletesWhatIsLeftPastItsBudget() {
    String node = blockedNode();
    Agent _ = pier.agent(node, Pier.atSla(SlaPolicy.DELETE), CallHook.NONE);
    drainTooLong(node);

    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(pier.holders(node)).containsExactly(HOLDER);
  }

  private void drainTooLong(String node) {
    pier.transition("late-" + node, "allNodes: true, sla: 2s");
    pier.event("late-" + node, "late-" + node, node);
    pier.awaitGone("late-" + node);
  }
}

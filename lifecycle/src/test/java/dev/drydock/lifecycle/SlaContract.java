package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.decide.SlaPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of a drain whose time is over. */
abstract class SlaContract extends LifecycleContract {
  private static final String HOLDER = "lifecycle/" + LifecycleFixture.DRAIN;

  @Test
  void stopsAndCanBeBegunAgain() {
    String node = blockedNode();
    TestAgent _ =
        fixture.agent(node, LifecycleFixture.atSla(SlaPolicy.STOP), RequestInterceptor.NONE);
    drainTooLong(node);

    assertThat(fixture.last(node).outcome()).isEqualTo("SlaExpired");
    assertThat(fixture.last(node).message())
        .isEqualTo(
            "SLA expired with %s/guarded left; node %s stays held"
                .formatted(fixture.namespace, node));
    assertThat(fixture.holders(node)).containsExactly(HOLDER);
    openBudget();
    eventually()
        .holdsFor(
            Duration.ofSeconds(1),
            () ->
                assertThat(
                        fixture.pods(node).size() == 1
                            && !fixture.isGoing(fixture.pods(node).getFirst()))
                    .isTrue());

    fixture.event("again-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("again-" + node);
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void goesOnWithoutItsEventAlsoAfterARestart() {
    String node = blockedNode();
    TestAgent first =
        fixture.agent(node, LifecycleFixture.atSla(SlaPolicy.CONTINUE), RequestInterceptor.NONE);
    drainTooLong(node);

    assertThat(fixture.last(node).outcome()).isEqualTo("SlaExpired");
    first.close();
    TestAgent _ =
        fixture.agent(node, LifecycleFixture.atSla(SlaPolicy.CONTINUE), RequestInterceptor.NONE);
    openBudget();

    eventually().until(() -> fixture.pods(node).isEmpty());
    assertThat(fixture.holders(node)).containsExactly(HOLDER);
    eventually()
        .until(
            () ->
                fixture
                    .kubectl("get", "node", node, "-o", "jsonpath={.metadata.annotations}")
                    .output()
                    .contains("drained for LifecycleEvent late-" + node));

    fixture.event("uncordon-" + node, LifecycleFixture.UNCORDON, node);
    fixture.awaitGone("uncordon-" + node);
    assertThat(fixture.isCordoned(node)).isFalse();
  }

  @Test
  void givingTheNodeBackEndsADrainThatWentOn() {
    String node = blockedNode();
    TestAgent _ =
        fixture.agent(node, LifecycleFixture.atSla(SlaPolicy.CONTINUE), RequestInterceptor.NONE);
    drainTooLong(node);

    fixture.event("uncordon-" + node, LifecycleFixture.UNCORDON, node);
    fixture.awaitGone("uncordon-" + node);

    openBudget();
    eventually()
        .holdsFor(
            Duration.ofSeconds(1),
            () ->
                assertThat(
                        fixture.pods(node).size() == 1
                            && !fixture.isGoing(fixture.pods(node).getFirst()))
                    .isTrue());
    assertThat(fixture.isCordoned(node)).isFalse();
  }

  @Test
  void deletesWhatIsLeftPastItsBudget() {
    String node = blockedNode();
    TestAgent _ =
        fixture.agent(node, LifecycleFixture.atSla(SlaPolicy.DELETE), RequestInterceptor.NONE);
    drainTooLong(node);

    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(fixture.holders(node)).containsExactly(HOLDER);
  }

  private void drainTooLong(String node) {
    fixture.transition("late-" + node, "allNodes: true, sla: 5s");
    fixture.event("late-" + node, "late-" + node, node);
    fixture.awaitGone("late-" + node);
  }
}

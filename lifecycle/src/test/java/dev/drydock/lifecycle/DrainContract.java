package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an agent makes of LifecycleEvents, whatever cluster it is. */
abstract class DrainContract {
  private Pier pier;

  @BeforeEach
  void open(Pier own) {
    pier = own;
  }

  @AfterEach
  void close() {
    pier.close();
  }

  @Test
  void drainsAndGivesBackAsTheReadmeHasIt() {
    String node = pier.node();
    pier.pod("web", node);
    List<String> reasons = pier.reasons(node);
    Agent _ = pier.agent(node);

    pier.event("drain-" + node, Pier.DRAIN, node);
    pier.awaitGone("drain-" + node);

    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.isCordoned(node)).isTrue();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");

    pier.event("uncordon-" + node, Pier.UNCORDON, node);
    pier.awaitGone("uncordon-" + node);

    assertThat(pier.isCordoned(node)).isFalse();
    eventually()
        .untilAsserted(
            () ->
                assertThat(reasons)
                    .containsExactly(
                        "drain-started", "drain-complete", "uncordoning", "maintenance-complete"));
  }

  @Test
  void waitsForABudgetAndSaysSoUntilItOpens() {
    String node = pier.node();
    pier.pod("guarded", node);
    pier.budget("guarded");
    Agent _ = pier.agent(node);

    pier.event("drain-" + node, Pier.DRAIN, node);

    eventually().until(() -> pier.message("drain-" + node).contains("/guarded allows no eviction"));
    assertThat(pier.claim("drain-" + node)).isEqualTo("Claimed");

    var _ = pier.kubectl("delete", "pdb", "guarded", "-n", pier.namespace).output();
    pier.awaitGone("drain-" + node);
    assertThat(pier.pods(node)).isEmpty();
  }
}

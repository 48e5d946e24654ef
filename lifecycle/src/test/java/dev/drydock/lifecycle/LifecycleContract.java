package dev.drydock.lifecycle;

import dev.drydock.testkit.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests that need a cluster with agents, whichever it is. */
abstract class LifecycleContract {
  LifecycleFixture fixture;

  @BeforeEach
  void open(LifecycleFixture own) {
    fixture = own;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  Eventually eventually() {
    return fixture.eventually();
  }

  /** A node with a pod that a budget keeps there. */
  String blockedNode() {
    String node = fixture.node();
    fixture.pod("guarded", node);
    fixture.budget("guarded");
    return node;
  }

  void openBudget() {
    var _ =
        fixture
            .cluster()
            .client()
            .policy()
            .v1()
            .podDisruptionBudget()
            .inNamespace(fixture.namespace)
            .withName("guarded")
            .delete();
  }

  void awaitBlocked(String event) {
    eventually().until(() -> fixture.message(event).contains("/guarded allows no eviction"));
  }
}

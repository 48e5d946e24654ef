package dev.drydock.lifecycle;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests that need a cluster with agents, whichever it is. */
abstract class PierContract {
  Pier pier;

  @BeforeEach
  void open(Pier own) {
    pier = own;
  }

  @AfterEach
  void close() {
    pier.close();
  }

  /** A node with a pod that a budget keeps there. */
  String blockedNode() {
    String node = pier.node();
    pier.pod("guarded", node);
    pier.budget("guarded");
    return node;
  }

  void openBudget() {
    var _ = pier.kubectl("delete", "pdb", "guarded", "-n", pier.namespace).output();
  }

  void awaitBlocked(String event) {
    Pier.eventually().until(() -> pier.message(event).contains("/guarded allows no eviction"));
  }
}

package dev.drydock.simulate;

/** All that is written down about a simulation while it runs. */
record Books(Timeline timeline, PodBook pods, NodeBook nodes, BudgetUse budgets, Waits waits) {
  static Books of(VirtualCluster cluster) {
    Timeline timeline = new Timeline();
    return new Books(
        timeline,
        new PodBook(cluster, timeline),
        new NodeBook(cluster, timeline),
        new BudgetUse(cluster),
        new Waits(timeline));
  }

  /** What was before does not count: only now is the fleet up. */
  void begin() {
    pods.begin();
    nodes.begin();
    budgets.begin();
  }
}

package dev.drydock.simulate;

/** All that is written down about a simulation while it runs. */
record SimulationRecorder(
    Timeline timeline, PodOutcomes pods, NodeAvailability nodes, BudgetUse budgets, WaitLog waits) {
  static SimulationRecorder of(VirtualCluster cluster) {
    Timeline timeline = new Timeline();
    return new SimulationRecorder(
        timeline,
        new PodOutcomes(cluster, timeline),
        new NodeAvailability(cluster, timeline),
        new BudgetUse(cluster),
        new WaitLog(timeline));
  }

  /** What was before does not count: only now is the fleet up. */
  void begin() {
    pods.begin();
    nodes.begin();
    budgets.begin();
  }
}

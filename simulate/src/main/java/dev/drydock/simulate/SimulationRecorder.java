package dev.drydock.simulate;

/** Everything that is recorded while a simulation runs. */
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

  /** Starts counting when the fleet is up. */
  void begin() {
    pods.begin();
    nodes.begin();
    budgets.begin();
  }
}

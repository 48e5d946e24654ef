package dev.drydock.bench;

import java.util.List;
import java.util.OptionalDouble;

/** One measurement, for every contestant under the same conditions. */
interface Benchmark {
  String name();

  /** A description for people. */
  String title();

  /** The unit of the value. */
  default String unit() {
    return "s";
  }

  /** How many nodes to drain it needs. */
  int nodes();

  List<Goal> goals();

  /** Sets everything up, lets the contestant drain, and resets the nodes. */
  Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round);

  /**
   * The value of an ideal client that is already running and knows at once what it may do: the
   * lower bound set by the cluster itself. It runs first and also warms up the cluster.
   */
  default OptionalDouble floor(BenchCluster cluster, BenchNodes nodes) {
    return OptionalDouble.empty();
  }

  /** What the original publishes about itself, which cannot run beside ours; empty if nothing. */
  default String anchor() {
    return "";
  }

  /** Whether kubectl can be compared with itself. */
  default boolean selfChecks() {
    return true;
  }

  /** Whether the requests are those of a completed drain. */
  default boolean completesDrains() {
    return true;
  }
}

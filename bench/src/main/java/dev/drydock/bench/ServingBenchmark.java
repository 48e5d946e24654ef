package dev.drydock.bench;

/**
 * Measures an operator or an agent that runs already. Its requests are also those of serving an
 * object, so they are not compared with those of a drain by command; kubectl has nothing like it to
 * be compared with itself.
 */
interface ServingBenchmark extends Benchmark {
  @Override
  default boolean completesDrains() {
    return false;
  }

  @Override
  default boolean selfChecks() {
    return false;
  }
}

package dev.drydock.simulate.fleet;

import java.util.List;

/** A cluster and its scenario. The same fleet with the same seed gives the same simulation. */
public record Fleet(
    long seed,
    List<Pool> pools,
    List<Workload> workloads,
    List<Budget> budgets,
    Scenario scenario) {
  public static final String API_VERSION = "drydock.dev/v1alpha1";
  public static final String KIND = "Fleet";

  /** A file with only a scenario, for a fleet in another file. */
  public static final String SCENARIO_KIND = "Scenario";

  public Fleet {
    pools = List.copyOf(pools);
    workloads = List.copyOf(workloads);
    budgets = List.copyOf(budgets);
  }

  public Fleet with(Scenario other) {
    return new Fleet(seed, pools, workloads, budgets, other);
  }

  public Fleet withSeed(long other) {
    return new Fleet(other, pools, workloads, budgets, scenario);
  }

  public int nodeCount() {
    return pools.stream().mapToInt(pool -> pool.nodes().size()).sum();
  }
}

package dev.drydock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The benchmarks of agents in small size: all must complete and leave no trace. */
@ClusterTest
class LifecycleBenchIT {
  private static BenchCluster cluster;

  @BeforeAll
  static void open() {
    cluster = BenchCluster.open(_ -> {});
  }

  @AfterAll
  static void close() {
    cluster.close();
  }

  /** Twice, so that remains of the first round would be noticed. */
  @Test
  void bothClaimersTakeAnEmptyNodeFromCreatedToDeleted() {
    assertThat(run("lifecycle-empty", 2))
        .hasSize(4)
        .allSatisfy(trial -> assertThat(trial.value()).isPositive());
  }

  @Test
  void whenThePodsWereGoneIsToldToo() {
    assertThat(run("lifecycle-slow-stop", 1))
        .allSatisfy(trial -> assertThat(trial.details().get("untilEmpty")).isPositive());
  }

  /** Twice, so that remains of the first round would be noticed. */
  @Test
  void anAgentAtTheEdgeDrainsByItsFiles() {
    for (String name : List.of("edge-empty", "edge-slow-stop")) {
      Benchmark benchmark = find(name);
      try (BenchNodes nodes = BenchNodes.start(cluster, name, benchmark.nodes())) {
        for (int round = 1; round <= 2; round++) {
          Trial trial = benchmark.run(cluster, nodes, contestant(Contestant.DRYDOCK), round);
          assertThat(trial.details().get("untilComplete")).isPositive();
        }
      }
    }
  }

  @Test
  void onlyTheClaimerThatTicksWritesWhileABudgetBlocks() {
    List<Trial> trials = run("lifecycle-waiting", 1);

    assertThat(trials.getFirst().contestant()).isEqualTo(Contestant.DRYDOCK);
    assertThat(trials.getFirst().value()).isZero();
    assertThat(trials.getLast().value()).isPositive();
    assertThat(trials.getLast().details()).containsKey("writes of nodes/status");
  }

  private static List<Trial> run(String name, int rounds) {
    Benchmark benchmark = find(name);
    List<Trial> trials = new ArrayList<>();
    try (BenchNodes nodes = BenchNodes.start(cluster, name, benchmark.nodes())) {
      for (int round = 1; round <= rounds; round++) {
        trials.add(benchmark.run(cluster, nodes, contestant(Contestant.DRYDOCK), round));
        trials.add(benchmark.run(cluster, nodes, contestant(Contestant.TICKS), round));
      }
    }
    return trials;
  }

  private static Benchmark find(String name) {
    return Catalogue.quick().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Contestant contestant(String name) {
    return new Contestant(name, new JavaAgent(), false);
  }

  /** Drydock without its launcher. */
  private record JavaAgent() implements Peer {
    @Override
    public String name() {
      return Contestant.DRYDOCK;
    }

    @Override
    public List<String> agent(AgentNode agentNode) {
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-cp",
          System.getProperty("java.class.path"),
          AgentMain.class.getName(),
          agentNode.node(),
          agentNode.namespace(),
          agentNode.folder().toString(),
          Boolean.toString(agentNode.claims()));
    }

    @Override
    public List<String> edgeAgent(String node, Path folder) {
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-cp",
          System.getProperty("java.class.path"),
          EdgeMain.class.getName(),
          node,
          "--edge-run-root=" + folder.resolve("run"),
          "--edge-persist-root=" + folder.resolve("persist"),
          "--edge-tmp-root=" + folder.resolve("tmp"));
    }

    @Override
    public List<String> drain(List<String> nodes) {
      throw new AssertionError("nobody drains by command here");
    }

    @Override
    public List<List<List<String>>> schedule(Maintenances maintenances) {
      throw new AssertionError("nobody has maintenances here");
    }

    @Override
    public List<String> operator(String namespace) {
      throw new AssertionError("nobody has DrainRequests here");
    }

    @Override
    public boolean serves() {
      return true;
    }

    @Override
    public String version() {
      return "";
    }

    @Override
    public void collectGarbage(long pid) {}
  }
}

package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.DrainEstimates.Estimate;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes are planned again only if something that matters to them has changed. */
class DrainEstimatesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final DrainPolicy POLICY =
      DrainPolicy.builder().force(true).waitForJobs(true).build();

  private final SimulatedCluster sim =
      SimulatedCluster.stepped(SimulatedCluster.Settings.defaults(), START);
  private final TestCluster cluster = TestCluster.simulated(sim);
  private final TestProcess process = cluster.process();
  private final DrainEstimates estimates = new DrainEstimates(process.kube(), () -> {});

  @BeforeEach
  void open() {
    var _ = sim.addNodes(2, "n-", NodeTemplate.DEFAULT);
    pod("a", "n-1", "terminationGracePeriodSeconds: 30");
    pod("b", "n-2", "terminationGracePeriodSeconds: 30");
    estimates.start();
    cluster.eventually().until(() -> estimates.unknown().isEmpty());
  }

  @AfterEach
  void close() {
    estimates.close();
    process.kill();
    cluster.close();
  }

  private void create(String yaml) {
    var _ = cluster.client().resource(yaml).create();
    cluster.pass(Duration.ofSeconds(5));
  }

  private void pod(String name, String node, String spec) {
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default, labels: {app: %s}}
        spec: {nodeName: %s, containers: [{name: main, image: none}], %s}
        """
            .formatted(name, name, node, spec));
  }

  private Estimate estimate(String node) {
    return estimates.estimate(node, POLICY, process.kube().clock().instant());
  }

  @Test
  void aNodeThatHasNotChangedIsNotPlannedAgain() {
    Estimate first = estimate("n-1");
    Estimate other = estimate("n-2");
    cluster.pass(Duration.ofHours(1));
    assertThat(estimate("n-1")).isSameAs(first);

    pod("c", "n-1", "terminationGracePeriodSeconds: 90");
    assertThat(estimate("n-1").eta().atMost()).contains(Duration.ofSeconds(90));
    assertThat(estimate("n-2")).as("nothing came or went there").isSameAs(other);
  }

  @Test
  void aBudgetAndAnotherPolicyCount() {
    Estimate first = estimate("n-1");
    create(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: a, namespace: default}
        spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}
        """);

    assertThat(first.never()).isEmpty();
    assertThat(estimate("n-1").never().orElse("")).contains("budget default/a");
    DrainPolicy hurried = DrainPolicy.builder().force(true).gracePeriodSeconds(1).build();
    assertThat(estimates.estimate("n-2", hurried, START).eta().atMost())
        .contains(Duration.ofSeconds(1));
  }

  /** Of a pod that ends at some time less is left the later one asks. */
  @Test
  void aNodeWhosePodsEndByThemselvesIsPlannedAnew() {
    pod("ends", "n-1", "activeDeadlineSeconds: 7200, terminationGracePeriodSeconds: 30");
    Estimate first = estimate("n-1");
    cluster.pass(Duration.ofMinutes(10));

    assertThat(estimate("n-1")).isNotSameAs(first);
  }

  /** Slurm runs jobs inside its workers; their end is an annotation. */
  @Test
  void jobsInsideAPodAreWaitedForUntilTheirAnnouncedEnd() {
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: slurmd
          namespace: default
          annotations: {nodeset.slinky.slurm.net/pod-deadline: "2026-01-01T02:00:00Z"}
        spec: {nodeName: n-1, terminationGracePeriodSeconds: 30, containers: [{name: main, image: none}]}
        """);
    Estimate first = estimate("n-1");
    cluster.pass(Duration.ofMinutes(10));

    assertThat(first.waitedFor()).map(pod -> pod.ref().name()).containsExactly("slurmd");
    assertThat(first.eta().atMost().orElseThrow())
        .isBetween(Duration.ofMinutes(119), Duration.ofMinutes(121));
    assertThat(estimate("n-1").eta().atMost().orElseThrow())
        .isEqualTo(first.eta().atMost().orElseThrow().minusMinutes(10));
  }
}

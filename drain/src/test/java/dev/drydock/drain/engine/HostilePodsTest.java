package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a tenant may write about its own pods and budgets holds up no pod of anybody else. */
class HostilePodsTest {
  private static final String HOLDER = "test/hostile";
  private static final DrainPolicy FORCED_AFTER_A_MINUTE =
      DrainPolicy.builder()
          .force(true)
          .daemonSets(DrainPolicy.DaemonSets.IGNORE)
          .deadline(Duration.ofMinutes(1), DrainPolicy.AtDeadline.FORCE_DELETE)
          .build();

  private final TestCluster cluster = TestCluster.simulated();
  private final DrainFixture fixture = new DrainFixture(cluster, "default");
  private final AtomicReference<String> unanswerable = new AtomicReference<>("nothing");
  private final AtomicInteger refusals = new AtomicInteger();
  private final TestProcess process =
      fixture.process(
          new RequestInterceptor() {
            @Override
            public void before(ApiCall call) {
              if (call.path().contains(unanswerable.get())) {
                throw new IllegalStateException("a request that cannot be made");
              }
            }

            @Override
            public void after(ApiCall call, int code) {
              if (code == 429) {
                refusals.incrementAndGet();
              }
            }
          });
  private final DrainEngine engine = new DrainEngine(process.kube());

  @AfterEach
  void close() {
    engine.close();
    fixture.close();
  }

  private DrainRun drain(String node, DrainPolicy policy, DrainListener listener) {
    return engine.start(DrainTask.of(node, HOLDER, "a test", policy), listener);
  }

  /** The controllers of its pods have no scale, so its numbers are never computed. */
  private void brokenBudget(String word) {
    fixture
        .client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(fixture.namespace)
        .resource(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(word)
                .endMetadata()
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(1))
                .withNewSelector()
                .addToMatchLabels("app", word)
                .endSelector()
                .endSpec()
                .build())
        .create();
  }

  /** A copy of a running pod with another owner or grace period. */
  private void pod(String node, String name, PodBuilder changed) {
    pod(node, name, name, changed);
  }

  private void pod(String node, String name, String word, PodBuilder changed) {
    Pod pod =
        changed
            .editOrNewMetadata()
            .withName(name)
            .addToLabels("app", word)
            .endMetadata()
            .editOrNewSpec()
            .withNodeName(node)
            .addNewContainer()
            .withName("main")
            .withImage("none")
            .endContainer()
            .endSpec()
            .build();
    fixture.client().pods().inNamespace(fixture.namespace).resource(pod).create();
  }

  /** An owner that has no scale; returns its UID. */
  private String configMap(String name) {
    return fixture
        .client()
        .configMaps()
        .inNamespace(fixture.namespace)
        .resource(new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create()
        .getMetadata()
        .getUid();
  }

  private void daemonSet(String name) {
    var _ =
        fixture
            .client()
            .apps()
            .daemonSets()
            .inNamespace(fixture.namespace)
            .resource(
                new DaemonSetBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .withNewSpec()
                    .withNewSelector()
                    .addToMatchLabels("app", name)
                    .endSelector()
                    .withNewTemplate()
                    .withNewMetadata()
                    .addToLabels("app", name)
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("main")
                    .withImage("none")
                    .endContainer()
                    .endSpec()
                    .endTemplate()
                    .endSpec()
                    .build())
            .create();
  }

  private static PodBuilder ownedBy(String apiVersion, String kind, String name) {
    return ownedBy(apiVersion, kind, name, "a-tenant-wrote-this");
  }

  private static PodBuilder ownedBy(String apiVersion, String kind, String name, String uid) {
    return new PodBuilder()
        .withNewMetadata()
        .addNewOwnerReference()
        .withApiVersion(apiVersion)
        .withKind(kind)
        .withName(name)
        .withUid(uid)
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withTerminationGracePeriodSeconds(1L)
        .endSpec();
  }

  @Test
  void aBrokenBudgetSlowsNoPodOfAnybodyElse() {
    String broken = fixture.node();
    String other = fixture.node();
    String owner = configMap("owner");
    for (int i = 0; i < 3; i++) {
      pod(broken, "broken-" + i, "broken", ownedBy("v1", "ConfigMap", "owner", owner));
    }
    fixture.pods(other, "free", 60);
    brokenBudget("broken");
    cluster.pass(Duration.ofSeconds(1));
    int before = refusals.get();

    DrainRun stuck = drain(broken, DrainFixture.FORCE, DrainListener.NONE);
    fixture.eventually().until(() -> refusals.get() > before);
    DrainRun free = drain(other, DrainFixture.FORCE, DrainListener.NONE);
    cluster.pass(Duration.ofSeconds(4));

    assertThat(free.outcome()).isDone();
    assertThat(stuck.outcome()).isNotDone();
    assertThat(fixture.podsOn(broken)).hasSize(3);
  }

  @Test
  void anOwnersNameThatIsNoNameHoldsUpNoForcedDrain() {
    String node = fixture.node();
    fixture.pods(node, "good", 2);
    pod(node, "odd-daemon", ownedBy("apps/v1", "DaemonSet", "a%zz"));
    pod(node, "odd-set", ownedBy("apps/v1", "ReplicaSet", "../a b?c#d"));
    pod(node, "odd-version", ownedBy("a%zz/v1", "ReplicaSet", "set"));

    DrainRun run = drain(node, FORCED_AFTER_A_MINUTE, DrainListener.NONE);
    cluster.pass(Duration.ofMinutes(2));

    assertThat(run.outcome()).isDone();
    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(node)).isEmpty();
  }

  @Test
  void anOwnerThatCannotBeLookedUpIsShownAndPastTheForceDeadlineHoldsUpOnlyItsOwnPod() {
    String node = fixture.node();
    fixture.pods(node, "good", 2);
    daemonSet("lost");
    fixture.eventually().until(() -> fixture.podsOn(node).size() == 3);
    unanswerable.set("daemonsets/lost");
    AtomicReference<List<Blocker>> blockers = new AtomicReference<>(List.of());

    DrainRun run =
        drain(node, FORCED_AFTER_A_MINUTE, report -> blockers.set(report.decision().blockers()));
    cluster.pass(Duration.ofSeconds(10));
    assertThat(fixture.podsOn(node)).hasSize(3);
    assertThat(blockers.get()).anyMatch(blocker -> blocker.line().contains("lost"));

    cluster.pass(Duration.ofMinutes(2));
    assertThat(fixture.podsOn(node))
        .singleElement()
        .satisfies(pod -> assertThat(pod.getMetadata().getName()).startsWith("lost-"));
    assertThat(run.outcome()).isNotDone();
    assertThat(blockers.get()).anyMatch(blocker -> blocker.line().contains("lost"));

    unanswerable.set("nothing");
    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
  }

  @Test
  void aFinalizerOnAPodThatHasEndedHoldsUpNoForcedDrain() {
    String node = fixture.node();
    fixture.pods(node, "good", 2);
    pod(
        node,
        "kept",
        new PodBuilder()
            .withNewMetadata()
            .withFinalizers("tenant.example/keep")
            .endMetadata()
            .withNewSpec()
            .withTerminationGracePeriodSeconds(1L)
            .endSpec());

    DrainRun run = drain(node, FORCED_AFTER_A_MINUTE, DrainListener.NONE);
    cluster.pass(Duration.ofSeconds(50));
    assertThat(run.outcome()).isNotDone();
    cluster.pass(Duration.ofMinutes(1));

    assertThat(run.outcome()).isDone();
    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(node))
        .singleElement()
        .satisfies(pod -> assertThat(pod.getMetadata().getName()).isEqualTo("kept"));
  }

  @Test
  void aGracePeriodBeyondAllTimeFailsNoDrain() {
    String node = fixture.node();
    fixture.pods(node, "good", 2);
    pod(
        node,
        "endless",
        new PodBuilder()
            .withNewSpec()
            .withTerminationGracePeriodSeconds(Long.MAX_VALUE)
            .withActiveDeadlineSeconds(Long.MAX_VALUE)
            .endSpec());
    DrainPolicy deleting =
        DrainPolicy.builder()
            .force(true)
            .deadline(Duration.ofHours(1), DrainPolicy.AtDeadline.DELETE)
            .build();

    DrainRun run = drain(node, deleting, DrainListener.NONE);
    cluster.pass(Duration.ofSeconds(10));

    assertThat(process.kube().health().degraded()).isEmpty();
    assertThat(run.outcome()).isNotDone();
    assertThat(fixture.podsOn(node))
        .singleElement()
        .satisfies(pod -> assertThat(pod.getMetadata().getName()).isEqualTo("endless"));
  }
}

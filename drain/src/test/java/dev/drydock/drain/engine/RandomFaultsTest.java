package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two nodes are drained while calls and watches go wrong at random, a tenant does what it can
 * against it and the engine is killed once: whatever happens, the invariants hold, and in the end
 * the nodes are empty. Time is virtual: a failure names its seed, and the seed is all that is
 * needed to see the same run again.
 */
class RandomFaultsTest {
  private static final int FAULTS = 12;
  private static final String ENGINE = "engine";
  private static final String HOLDER = "test/faults";
  private static final String OTHER = "test/somebody-else";
  private static final DrainPolicy POLICY = DrainPolicy.builder().force(true).build();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 25);
  }

  /** What the cluster and the engine's requests show of the invariants. */
  private static final class Witness implements RequestInterceptor {
    private static final int NEEDED = 5;

    final List<String> wrong = new CopyOnWriteArrayList<>();
    private final Set<String> healthy = new HashSet<>();

    @Override
    public void before(ApiCall call) {
      String body = Objects.requireNonNullElse(call.body(), "");
      if (call.path().endsWith("/eviction") && !body.contains("\"uid\"")) {
        wrong.add("I10: an eviction without UID: " + body);
      }
      if (call.verb() == ApiCall.Verb.DELETE) {
        wrong.add("I2: a deletion that the policy did not ask for: " + call.path());
      }
    }

    @Override
    public void after(ApiCall call, int code) {
      // What took effect is seen in the cluster.
    }

    /** Told of every change, one at a time. */
    void see(ObjectChange event) {
      ObjectNode pod = event.object();
      if (!pod.path("metadata").path("labels").path("app").asText().equals("web")
          || !pod.path("kind").asText().equals("Pod")
          || !event.key().namespace().equals("default")) {
        return;
      }
      boolean serves =
          event.type() != ObjectChange.Type.DELETED
              && !pod.path("metadata").has("deletionTimestamp")
              && PodReader.isTrue(PodReader.condition(pod.path("status"), "Ready"));
      if (serves) {
        healthy.add(event.key().name());
      } else if (healthy.remove(event.key().name()) && healthy.size() < NEEDED) {
        wrong.add("I1: %d pods serve, %d are needed".formatted(healthy.size(), NEEDED));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noFaultBreaksAnInvariant(long seed) throws Exception {
    Witness witness = new Witness();
    int callsToLive = 5 + new Random(seed).nextInt(40);
    try (FaultyCluster faultyCluster = new FaultyCluster(seed, witness)) {
      FaultPlan plan = faultyCluster.plan;
      faultyCluster.drainUntilItDies(callsToLive);
      faultyCluster.drainToTheEnd();
      faultyCluster.release();

      assertThat(witness.wrong)
          .as("%s, killed at call %d; struck: %s", plan, callsToLive, plan.struck())
          .isEmpty();
      assertThat(faultyCluster.foreign())
          .as("I4: what others wrote on the node; %s, killed at call %d", plan, callsToLive)
          .isEqualTo("label other, taint other, held by [%s]".formatted(OTHER));
    }
  }

  /** Two nodes to be drained, with guarded and free pods, and three to move to. */
  private static final class FaultyCluster implements AutoCloseable {
    private static final ObjectMapper YAML = new YAMLMapper();

    private final SimulatedCluster cluster;
    private final TestCluster testCluster;
    private final FaultPlan plan;

    /** How far the engine's clock, which faults can move, is ahead of the cluster's. */
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    private final Witness witness;
    private final List<String> nodes;
    private final HostileTenant tenant;

    FaultyCluster(long seed, Witness witness) throws IOException {
      this.witness = witness;
      plan =
          FaultPlan.random(seed, FAULTS)
              .forUser(ENGINE)
              .withClock(by -> ahead.accumulateAndGet(by, Duration::plus))
              .inTime(this::time);
      cluster =
          SimulatedCluster.stepped(
              SimulatedCluster.Settings.defaults().withSeed(seed).withHook(plan),
              Instant.parse("2026-01-01T00:00:00Z"));
      testCluster = TestCluster.simulated(cluster);
      cluster.listen(witness::see);
      nodes = cluster.addNodes(2, "full-", NodeTemplate.DEFAULT);
      create(
          """
          apiVersion: apps/v1
          kind: ReplicaSet
          metadata: {name: web, namespace: default}
          spec:
            replicas: 6
            selector: {matchLabels: {app: web}}
            template:
              metadata: {labels: {app: web}}
              spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
          """);
      create(
          """
          apiVersion: policy/v1
          kind: PodDisruptionBudget
          metadata: {name: web, namespace: default}
          spec: {minAvailable: 5, selector: {matchLabels: {app: web}}}
          """);
      for (int i = 0; i < 4; i++) {
        create(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: free-%d, namespace: default}
            spec: {nodeName: %s, terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
            """
                .formatted(i, nodes.get(i % 2)));
      }
      var _ = cluster.addNodes(3, "spare-", NodeTemplate.DEFAULT);
      testCluster
          .eventually()
          .until(
              () ->
                  cluster
                      .get("PodDisruptionBudget", "default", "web")
                      .body()
                      .path("status")
                      .path("disruptionsAllowed")
                      .asInt(),
              allowed -> allowed == 1);
      var _ =
          cluster.patch(
              "Node",
              "",
              nodes.getFirst(),
              "",
              yaml(
                  "{metadata: {labels: {other: label}}, spec: {taints: [{key: other, effect: NoSchedule}]}}"));
      tenant = new HostileTenant(cluster, nodes, seed);
      try (TestProcess otherProcess = testCluster.process();
          DrainEngine others = new DrainEngine(otherProcess.kube())) {
        var _ = others.holds().place(nodes.getFirst(), Hold.of(OTHER, "its own", cluster.now()));
      }
    }

    private static ObjectNode yaml(String text) throws IOException {
      return (ObjectNode) YAML.readTree(text);
    }

    private void create(String text) throws IOException {
      var answer = cluster.create(yaml(text));
      assertThat(answer.code()).as(answer.body().toString()).isEqualTo(201);
    }

    private VirtualTime time() {
      return (VirtualTime) cluster.time();
    }

    /** The process of an engine, whose requests and clock go wrong. */
    private TestProcess process(RequestInterceptor interceptor) {
      Config engine = testCluster.config();
      engine.setImpersonateUsername(ENGINE);
      return testCluster.process(
          ProcessOptions.of(interceptor)
              .withRights(engine)
              .withTime(time -> new ShiftedTime(time, ahead)));
    }

    private DrainRun start(DrainEngine engine, String node) {
      DrainRun run = engine.start(DrainTask.of(node, HOLDER, "a test", POLICY), DrainListener.NONE);
      var _ =
          run.outcome()
              .thenAccept(
                  outcome -> {
                    List<ObjectNode> pods = podsLeft(node);
                    if (outcome.end() == End.DONE && !pods.isEmpty()) {
                      witness.wrong.add(
                          "I7: node %s is called drained with pods %s".formatted(node, pods));
                    }
                  });
      return run;
    }

    /** Without what the tenant may have put there since. */
    private List<ObjectNode> podsLeft(String node) {
      return cluster.podsOn(node).stream()
          .filter(pod -> !pod.at("/metadata/namespace").asText().equals(HostileTenant.NAMESPACE))
          .toList();
    }

    void drainUntilItDies(int calls) {
      DyingEngine dying = new DyingEngine(calls, true, new ConcurrentHashMap<>());
      try (TestProcess process = process(tenant.beside(dying));
          DrainEngine engine = new DrainEngine(process.kube())) {
        List<DrainRun> runs = nodes.stream().map(node -> start(engine, node)).toList();
        testCluster
            .eventually()
            .until(
                () -> {
                  tenant.act(); // also while the engine only waits for it
                  return dying.isDead() || runs.stream().allMatch(run -> run.outcome().isDone());
                });
      }
    }

    /** The tenant's pods are drained as all others. */
    void drainToTheEnd() {
      tenant.withdraw();
      try (TestProcess process = process(witness);
          DrainEngine engine = new DrainEngine(process.kube())) {
        List<DrainRun> runs = nodes.stream().map(node -> start(engine, node)).toList();
        for (DrainRun run : runs) {
          testCluster.eventually().until(() -> run.outcome().isDone());
          DrainOutcome outcome = run.outcome().join();
          assertThat(outcome.end())
              .as("%s: %s; %s", run.node(), outcome.message(), plan)
              .isEqualTo(End.DONE);
        }
      }
      nodes.forEach(node -> assertThat(cluster.podsOn(node)).as(plan.toString()).isEmpty());
    }

    /** The cluster is whole again. */
    void release() {
      try (TestProcess process = testCluster.process();
          DrainEngine drainEngine = new DrainEngine(process.kube())) {
        nodes.forEach(node -> drainEngine.holds().release(node, HOLDER));
      }
    }

    String foreign() {
      JsonNode node = cluster.get("Node", "", nodes.getFirst()).body();
      List<String> taints = new ArrayList<>();
      node.path("spec").path("taints").forEach(taint -> taints.add(taint.path("key").asText()));
      taints.remove("node.kubernetes.io/unschedulable");
      return "label %s, taint %s, held by %s"
          .formatted(
              node.path("metadata").path("labels").has("other") ? "other" : "gone",
              String.join(" ", taints),
              DrainNodeObject.read(node).holds().byHolder().keySet());
    }

    @Override
    public void close() {
      testCluster.close();
    }
  }
}

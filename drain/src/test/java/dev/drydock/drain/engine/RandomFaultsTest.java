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
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.store.StoredEvent;
import dev.drydock.testkit.ProcessDeath;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two nodes are drained while calls and watches go wrong at random, a tenant does what it can
 * against it and the engine is killed once: whatever happens, the invariants hold, and in the end
 * the nodes are empty. A failure names its seed, and the seed is all that is needed to see the same
 * plan again.
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

  /** A clock that faults can move. */
  private static final class JumpingClock extends Clock {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    void jump(Duration by) {
      ahead.updateAndGet(so -> so.plus(by));
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(ahead.get());
    }

    @Override
    public ZoneId getZone() {
      return ZoneId.of("UTC");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** Real time, told by a clock that faults can move; what dies in it dies quietly. */
  private record MovedTime(Clock clock) implements TimeSource {
    @Override
    public Duration elapsed() {
      return TimeSource.REAL.elapsed();
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      return TimeSource.REAL.schedule(
          delay,
          () -> {
            try {
              work.run();
            } catch (ProcessDeath death) {
              // nothing comes after it
            }
          });
    }
  }

  private static ConditionFactory eventually() {
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50));
  }

  private static DrainOutcome end(DrainRun run) {
    try {
      return run.outcome().get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      throw new AssertionError("the drain of " + run.node() + " did not end", failed);
    }
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
    void see(StoredEvent event) {
      ObjectNode pod = event.object();
      if (!pod.path("metadata").path("labels").path("app").asText().equals("web")
          || !pod.path("kind").asText().equals("Pod")
          || !event.key().namespace().equals("default")) {
        return;
      }
      boolean serves =
          event.type() != StoredEvent.Type.DELETED
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
    JumpingClock clock = new JumpingClock();
    Witness witness = new Witness();
    FaultPlan plan = FaultPlan.random(seed, FAULTS).forUser(ENGINE).withClock(clock::jump);
    int callsToLive = 5 + new Random(seed).nextInt(40);
    try (FaultyCluster faultyCluster = new FaultyCluster(plan, seed, clock, witness)) {
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
    private final FaultPlan plan;
    private final Clock clock;
    private final Witness witness;
    private final List<KubernetesClient> clients = new ArrayList<>();
    private final List<Kube> kubes = new ArrayList<>();
    private final List<String> nodes;
    private final HostileTenant tenant;

    FaultyCluster(FaultPlan plan, long seed, Clock clock, Witness witness) throws IOException {
      this.plan = plan;
      this.clock = clock;
      this.witness = witness;
      cluster =
          SimulatedCluster.running(SimulatedCluster.Settings.usual().withSeed(seed).withHook(plan));
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
      eventually()
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
      try (KubernetesClient client = client("setup");
          Kube otherProcess = Kube.of(client);
          DrainEngine others = new DrainEngine(otherProcess)) {
        var _ = others.holds().place(nodes.getFirst(), Hold.of(OTHER, "its own", Instant.now()));
      }
    }

    private static ObjectNode yaml(String text) throws IOException {
      return (ObjectNode) YAML.readTree(text);
    }

    private void create(String text) throws IOException {
      var answer = cluster.create(yaml(text));
      assertThat(answer.code()).as(answer.body().toString()).isEqualTo(201);
    }

    private KubernetesClient client(String user) throws IOException {
      Config config = Config.fromKubeconfig(cluster.kubeconfig());
      config.setImpersonateUsername(user);
      return new KubernetesClientBuilder().withConfig(config).build();
    }

    private DrainEngine engine(RequestInterceptor hook) throws IOException {
      KubernetesClient client = client(ENGINE);
      clients.add(client);
      Kube kube = new Kube(new KubeHttp(client, hook, KubeHttp.PAGE_SIZE), new MovedTime(clock));
      kubes.add(kube);
      return new DrainEngine(kube, DrainEngine.Options.DEFAULT);
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

    void drainUntilItDies(int calls) throws IOException {
      DyingEngine dying = new DyingEngine(calls, true, new ConcurrentHashMap<>());
      try (DrainEngine engine = engine(tenant.beside(dying))) {
        List<DrainRun> runs = nodes.stream().map(node -> start(engine, node)).toList();
        eventually()
            .until(
                () -> {
                  tenant.act(); // also while the engine only waits for it
                  return dying.isDead() || runs.stream().allMatch(run -> run.outcome().isDone());
                });
      }
    }

    /** The tenant's pods are drained as all others. */
    void drainToTheEnd() throws IOException {
      tenant.withdraw();
      try (DrainEngine engine = engine(witness)) {
        List<DrainRun> runs = nodes.stream().map(node -> start(engine, node)).toList();
        for (DrainRun run : runs) {
          DrainOutcome outcome = end(run);
          assertThat(outcome.end())
              .as("%s: %s; %s", run.node(), outcome.message(), plan)
              .isEqualTo(End.DONE);
        }
      }
      nodes.forEach(node -> assertThat(cluster.podsOn(node)).as(plan.toString()).isEmpty());
    }

    /** The cluster is whole again. */
    void release() throws IOException {
      try (KubernetesClient client = client("release");
          Kube kube = Kube.of(client);
          DrainEngine drainEngine = new DrainEngine(kube)) {
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
      kubes.forEach(Kube::close);
      clients.forEach(KubernetesClient::close);
      cluster.close();
    }
  }
}

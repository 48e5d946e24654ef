package dev.drydock.bench.rollout;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.app.operator.Operator;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.serve.feature.Features;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.call.LocalCalls.Answer;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.store.ObjectChange;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** One roll-out of a CXI driver by a whole operator, from the change of its version to the end. */
public final class RolloutRun implements AutoCloseable {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String NAMESPACE = "slingshot-system";
  private static final Duration WATCH_DELAY = Duration.ofMillis(5);
  private static final Duration TICK = Duration.ofSeconds(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RolloutScenario scenario;
  private final SimulatedCluster cluster;
  private final KubernetesClient client;
  private final Kube operatorKube;
  private final Operator operator;
  private final Map<String, Instant> outSince = new HashMap<>();
  private Duration out = Duration.ZERO;
  private long writes;
  private final Map<String, Long> byKind = new TreeMap<>();

  /**
   * What was measured.
   *
   * @param minutesPerNode out of service, on average
   * @param hours from the change of the version until all nodes have it
   * @param writesPerNode of the operator, all of them together
   * @param idleWrites of the operator in a minute after the roll-out
   * @param byKind the writes per node by what was written
   */
  public record Figures(
      double minutesPerNode,
      double hours,
      double writesPerNode,
      double idleWrites,
      Map<String, Double> byKind) {}

  private RolloutRun(RolloutScenario scenario) throws IOException {
    this.scenario = scenario;
    cluster =
        SimulatedCluster.stepped(
            SimulatedCluster.Settings.defaults().withSeed(scenario.seed()), START);
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
            .build();
    YAMLMapper yaml = new YAMLMapper();
    for (String definition : CrdCatalog.yaml().split("(?m)^---\n", -1)) {
      created(cluster.create((ObjectNode) yaml.readTree(definition)));
    }
    create("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
    cluster.listen(this::changed);
    var _ =
        cluster.addNodes(
            scenario.nodes(),
            "node-",
            NodeTemplate.DEFAULT.withLabel("cxi", "yes").withCapacity("hpe.com/cxi", "100"));
    operatorKube =
        new Kube(
            new KubeHttp(
                cluster.transport(cluster.time(), () -> WATCH_DELAY),
                new Counting(),
                KubeHttp.PAGE_SIZE,
                KubeHttp.ANSWER_WITHIN),
            cluster.time());
    var _ = new ModelDriverAgents(cluster, NAMESPACE, scenario::install);
    operator =
        Operator.on(operatorKube, client, NAMESPACE, Features.load().only(List.of("slingshot")));
    operator.lead();
  }

  private final class Counting implements RequestInterceptor {
    @Override
    public void before(ApiCall call) {
      switch (call.verb()) {
        case CREATE, PATCH, DELETE -> {
          writes++;
          byKind.merge(kind(call.path()), 1L, Long::sum);
        }
        case GET, LIST, WATCH -> {}
      }
    }

    @Override
    public void after(ApiCall call, int code) {}
  }

  /** The plural in a path: it follows the version, or the namespace. */
  static String kind(String path) {
    String below = path.replaceFirst("^/apis?/([^/]+/)?v[^/]+/", "");
    return below.replaceFirst("^namespaces/[^/]+/(?=.)", "").replaceFirst("[/?].*", "");
  }

  private void changed(ObjectChange event) {
    if (!event.resource().equals("nodes.")) {
      return;
    }
    String node = event.object().path("metadata").path("name").asText();
    if (event.object().path("spec").path("unschedulable").asBoolean(false)) {
      outSince.putIfAbsent(node, cluster.now());
    } else if (outSince.containsKey(node)) {
      Instant since = Objects.requireNonNull(outSince.remove(node));
      out = out.plus(Duration.between(since, cluster.now()));
    }
  }

  private void create(String yaml) {
    try {
      created(cluster.create((ObjectNode) new YAMLMapper().readTree(yaml)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void created(Answer answer) {
    if (!answer.isSuccess()) {
      throw new IllegalStateException(answer.body().toString());
    }
  }

  /** Runs a roll-out in virtual time. */
  public static Figures measure(RolloutScenario scenario) {
    try (RolloutRun run = new RolloutRun(scenario)) {
      return run.measure();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Figures measure() throws IOException {
    create(
        """
        apiVersion: cxi.hpe.com/v1
        kind: CXIDriver
        metadata: {name: cxi-driver}
        spec:
          version: 1.0.0
          source: {type: dkms, dkms: {tag: release/shs-1}}
          nodeSelector: {cxi: "yes"}
          updateStrategy: {maxUnavailable: "%s"}
        """
            .formatted(scenario.maxUnavailable()));
    await("the first install");
    long before = writes;
    byKind.clear();
    Instant begun = cluster.now();
    created(
        cluster.patch(
            "CXIDriver",
            "",
            "cxi-driver",
            "",
            (ObjectNode) new YAMLMapper().readTree("{spec: {version: 2.0.0}}")));
    await("the roll-out");
    Duration took = Duration.between(begun, cluster.now());
    double perNode = (double) (writes - before) / scenario.nodes();
    Map<String, Double> perKind = new TreeMap<>();
    byKind.forEach((kind, count) -> perKind.put(kind, (double) count / scenario.nodes()));
    cluster.advance(MINUTE);
    long settled = writes;
    cluster.advance(MINUTE);
    return new Figures(
        out.toMillis() / 60_000.0 / scenario.nodes(),
        took.toMillis() / 3_600_000.0,
        perNode,
        writes - settled,
        perKind);
  }

  /** Until the status says that all nodes have the wanted version, and none is out. */
  private void await(String what) {
    Instant limit = cluster.now().plus(scenario.limit());
    do {
      if (!cluster.now().isBefore(limit)) {
        throw new IllegalStateException(
            "%s did not end within %s".formatted(what, scenario.limit()));
      }
      cluster.advance(TICK);
    } while (!isDone());
  }

  private boolean isDone() {
    ObjectNode driver = Objects.requireNonNull(cluster.find("CXIDriver", "", "cxi-driver"));
    return driver.path("status").path("observedGeneration").asLong()
            == driver.path("metadata").path("generation").asLong()
        && driver.path("status").path("ready").asInt() == scenario.nodes()
        && outSince.isEmpty();
  }

  @Override
  public void close() {
    operator.close();
    operatorKube.close();
    client.close();
    cluster.close();
  }
}

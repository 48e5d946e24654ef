package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Agents as the manifests have them, on nodes of a fixture: with exactly their rights, and tokens
 * as kubelets give them to pods.
 */
final class AgentFixture implements AutoCloseable {
  static final String NAMESPACE = "drydock-agents";
  private static final String ACCOUNT = "drydock-agent";
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final Duration SLA = Duration.ofSeconds(4);

  /** Calls that were refused to running agents, which none should be. */
  final List<String> forbidden = new CopyOnWriteArrayList<>();

  /** A name of its own, because transitions are everybody's. */
  final String driver;

  private final LifecycleFixture fixture;
  private final List<String> nodes;
  private final List<AutoCloseable> open = new ArrayList<>();

  AgentFixture(LifecycleFixture fixture, List<String> nodes) {
    this.fixture = fixture;
    this.nodes = List.copyOf(nodes);
    driver = fixture.namespace + ".drydock.dev";
    for (String file : List.of("namespace.yaml", "agent-rbac.yaml", "agent-policy.yaml")) {
      kubectl("apply", "--server-side", "-f", DEPLOY.resolve(file).toString());
    }
    runAgentPods();
  }

  /** The pods of the manifest, on these nodes alone. */
  private void runAgentPods() {
    DaemonSet manifest =
        fixture
            .cluster()
            .client()
            .apps()
            .daemonSets()
            .load(DEPLOY.resolve("agent.yaml").toFile())
            .item();
    Map<String, String> labels = Map.of("app", fixture.namespace);
    DaemonSet here =
        new DaemonSetBuilder(manifest)
            .editMetadata()
            .withName(fixture.namespace)
            .endMetadata()
            .editSpec()
            .withSelector(new LabelSelectorBuilder().withMatchLabels(labels).build())
            .editTemplate()
            .editMetadata()
            .withLabels(labels)
            .endMetadata()
            .editSpec()
            .withNewAffinity()
            .withNewNodeAffinity()
            .withNewRequiredDuringSchedulingIgnoredDuringExecution()
            .addNewNodeSelectorTerm()
            .addNewMatchExpression()
            .withKey("kubernetes.io/hostname")
            .withOperator("In")
            .withValues(nodes)
            .endMatchExpression()
            .endNodeSelectorTerm()
            .endRequiredDuringSchedulingIgnoredDuringExecution()
            .endNodeAffinity()
            .endAffinity()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    var _ = fixture.cluster().client().resource(here).create();
    for (String node : nodes) {
      fixture
          .eventually()
          .until(
              () -> agentPod(node).filter(pod -> pod.getStatus().getPhase().equals("Running")),
              Optional::isPresent);
    }
  }

  private Optional<Pod> agentPod(String node) {
    return fixture.pods(node).stream()
        .filter(pod -> pod.getMetadata().getNamespace().equals(NAMESPACE))
        .findFirst();
  }

  /** As the kubelet of this node asks for it on behalf of the agent's pod. */
  private String boundToken(String node) {
    String pod = agentPod(node).orElseThrow().getMetadata().getName();
    return kubectl(
        "create",
        "token",
        ACCOUNT,
        "-n",
        NAMESPACE,
        "--bound-object-kind=Pod",
        "--bound-object-name=" + pod);
  }

  /** A process that connects with this token. */
  private TestProcess process(String token, RequestInterceptor interceptor) {
    Config config =
        new ConfigBuilder(fixture.cluster().config())
            .withClientCertData(null)
            .withClientCertFile(null)
            .withClientKeyData(null)
            .withClientKeyFile(null)
            .withOauthToken(token)
            .build();
    TestProcess process =
        fixture.cluster().process(ProcessOptions.of(interceptor).withRights(config));
    open.add(process);
    return process;
  }

  /** Requests with the token of the agent on a node. */
  KubeHttp as(String node) {
    return http(boundToken(node));
  }

  /** Requests with a token of the agents that is bound to nothing. */
  KubeHttp unbound() {
    return http(kubectl("create", "token", ACCOUNT, "-n", NAMESPACE));
  }

  private KubeHttp http(String token) {
    return process(token, RequestInterceptor.NONE).kube().http();
  }

  /** An agent in earnest, which deletes what its time was not enough for. */
  void start(String node) throws IOException {
    var _ = start(node, node);
  }

  /** One that has the token of another node's agent. */
  LifecycleAgent start(String node, String tokenOf) throws IOException {
    LifecycleAgentSettings usual = fixture.settings(node);
    LifecycleAgentSettings settings =
        new LifecycleAgentSettings(
            node,
            "drydock-system",
            node,
            List.of(DriverNaming.first(driver)),
            usual.place(),
            SLA,
            usual.evictionTimeout(),
            usual.gracePeriodSeconds(),
            usual.qps(),
            usual.burst(),
            SlaPolicy.DELETE,
            true,
            LifecycleAgentSettings.Claims.ALWAYS);
    RequestInterceptor noting =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {}

          @Override
          public void after(ApiCall call, int code) {
            if (code == HttpURLConnection.HTTP_FORBIDDEN) {
              forbidden.add(call.verb() + " " + call.path());
            }
          }
        };
    TestProcess process =
        process(boundToken(tokenOf), new RateLimiter(settings.qps(), settings.burst(), noting));
    LifecycleAgent agent = LifecycleAgent.start(process.kube(), settings, Claimer.Outcomes.NONE);
    open.add(agent);
    return agent;
  }

  /** With pods of every controller, which cannot come back, and one that no eviction gets. */
  void occupy(String node) {
    controller(node, "apps/v1", "ReplicaSet", "replicas: 1, selector: {matchLabels: {of: %s}}");
    controller(
        node,
        "apps/v1",
        "StatefulSet",
        "replicas: 1, serviceName: none, selector: {matchLabels: {of: %s}}");
    controller(node, "v1", "ReplicationController", "replicas: 1, selector: {of: %s}");
    controller(node, "batch/v1", "Job", "completions: 1");
    String guarded = "guarded-" + node;
    fixture.pod(guarded, node);
    fixture.budget(guarded);
    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.pods(node))
                    .hasSize(6)
                    .allMatch(pod -> pod.getStatus().getPhase().equals("Running")));
  }

  private void controller(String node, String version, String kind, String spec) {
    String name = kind.toLowerCase(Locale.ROOT) + "-" + node;
    fixture.apply(
        """
        apiVersion: %s
        kind: %s
        metadata: {name: %s, namespace: %s}
        spec:
          %s
          template:
            metadata: {labels: {of: %s}}
            spec:
              nodeSelector: {kubernetes.io/hostname: %s}
              restartPolicy: %s
              terminationGracePeriodSeconds: 1
              containers: [{name: main, image: none}]
        """
            .formatted(
                version,
                kind,
                name,
                fixture.namespace,
                spec.formatted(name).replace(", ", "\n  "),
                name,
                node,
                kind.equals("Job") ? "Never" : "Always"));
  }

  /** Who has the Lease of a node. */
  String holder(String node) {
    return kubectl(
        "get",
        "lease",
        LifecycleAgent.lease(node),
        "-n",
        LifecycleAgent.LEASE_NAMESPACE,
        "-o",
        "jsonpath={.spec.holderIdentity}");
  }

  String kubectl(String... arguments) {
    return fixture.kubectl(arguments).output();
  }

  @Override
  public void close() {
    for (AutoCloseable each : open.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    kubectl("delete", "daemonset", fixture.namespace, "-n", NAMESPACE);
    for (String node : nodes) {
      kubectl(
          "delete",
          "lease",
          LifecycleAgent.lease(node),
          "-n",
          LifecycleAgent.LEASE_NAMESPACE,
          "--ignore-not-found");
    }
    for (String group : LifecycleNames.GROUPS) {
      kubectl(
          "delete",
          "--ignore-not-found",
          LifecycleNames.TRANSITIONS + "." + group,
          driver,
          driver + "-uncordon");
    }
  }
}

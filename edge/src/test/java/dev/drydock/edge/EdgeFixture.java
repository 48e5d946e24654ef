package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.edge.control.EdgeAgent;
import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.control.EdgeJournal;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.decide.NodeDrainStatus;
import dev.drydock.edge.decide.RequestAsker;
import dev.drydock.edge.decide.RequestDecider.Presence;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.FileOperations;
import dev.drydock.edge.record.ProcessView;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Machines with agents at the edge of a cluster. Nothing is ever rebooted: commands are recorded.
 */
public final class EdgeFixture implements AutoCloseable {
  /** The user that a simulated cluster takes the agent for. */
  public static final String AGENT = "edge-agent";

  public final TestCluster cluster;
  public final String node;
  public final String peer;
  public final EdgePaths paths;
  public final List<String> commands = new CopyOnWriteArrayList<>();
  public final List<String> log = new CopyOnWriteArrayList<>();
  public final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Optional<RealAgents> agents;
  private final boolean ownsCluster;
  private UnaryOperator<TimeSource> time = UnaryOperator.identity();
  private String boot = "boot-1";
  private volatile Presence asker = Presence.RUNS;
  private int exitCode;
  private volatile Runnable ran = () -> {};
  private UnaryOperator<EdgeAgentSettings> settings = UnaryOperator.identity();
  private Optional<TestProcess> process = Optional.empty();
  private Optional<MortalFiles> disk = Optional.empty();
  private Optional<EdgeAgent> agent = Optional.empty();

  public EdgeFixture(TestCluster cluster, Path folder) {
    this(
        cluster,
        folder,
        cluster.addNode("edge-a"),
        cluster.addNode("edge-b"),
        Optional.empty(),
        true);
    eventually().until(() -> isReady(node) && isReady(peer));
  }

  private final ProcessView processes =
      new ProcessView() {
        @Override
        public Presence presence(RequestAsker of) {
          return asker;
        }

        @Override
        public Duration uptime() {
          return Duration.between(Instant.EPOCH, cluster.clock().instant());
        }
      };

  private EdgeFixture(
      TestCluster cluster,
      Path folder,
      String node,
      String peer,
      Optional<RealAgents> agents,
      boolean ownsCluster) {
    this.cluster = cluster;
    this.node = node;
    this.peer = peer;
    this.agents = agents;
    this.ownsCluster = ownsCluster;
    paths = new EdgePaths(folder.resolve("run"), folder.resolve("persist"), folder.resolve("tmp"));
  }

  /**
   * Two machines of a real cluster, with exactly the rights that the manifests give.
   *
   * @param name of the test; nodes and pods are called after it
   */
  public static EdgeFixture real(ControlPlane controlPlane, Path folder, String name) {
    TestCluster cluster = TestCluster.real(controlPlane);
    EdgeFixture edge =
        new EdgeFixture(
            cluster,
            folder,
            cluster.addNode(name + "-a"),
            cluster.addNode(name + "-b"),
            Optional.of(new RealAgents(cluster)),
            true);
    edge.eventually().until(() -> edge.isReady(edge.node) && edge.isReady(edge.peer));
    return edge;
  }

  /** Its agents' minutes are seconds. */
  public EdgeFixture inFastTime() {
    time = _ -> new FastTime();
    return this;
  }

  /** Another machine of the same cluster. */
  public EdgeFixture machine(Path folder, String name) {
    EdgeFixture other = new EdgeFixture(cluster, folder, name, node, agents, false);
    other.time = time;
    return other;
  }

  /** Waits until the agents of a real cluster may do this, because a binding allows it. */
  public void awaitRight(String verb, String group, String resource, String namespace) {
    agents.ifPresent(real -> real.awaitRight(verb, group, resource, namespace));
  }

  /** Requests of agents that the API server refused, which none should be. */
  public List<String> forbidden() {
    return agents.map(RealAgents::forbidden).orElse(List.of());
  }

  private boolean isReady(String name) {
    Node found = cluster.client().nodes().withName(name).get();
    return found != null
        && found.getSpec().getTaints().isEmpty()
        && found.getStatus().getConditions().stream()
            .anyMatch(each -> each.getType().equals("Ready") && each.getStatus().equals("True"));
  }

  public Eventually eventually() {
    return cluster.eventually();
  }

  public EdgeFixture with(UnaryOperator<EdgeAgentSettings> change) {
    settings = change;
    return this;
  }

  public EdgeFixture withTime(UnaryOperator<TimeSource> own) {
    time = own;
    return this;
  }

  public EdgeFixture exitingWith(int code) {
    exitCode = code;
    return this;
  }

  public EdgeAgentSettings settings(String name) {
    return settings.apply(
        new EdgeAgentSettings(
            name,
            "",
            "drydock-system",
            "agent-of-" + name,
            paths,
            ClusterMembership.Wanted.AUTO,
            Optional.empty(),
            true,
            true,
            true,
            Duration.ZERO,
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Map.of(
                EdgeOperation.REBOOT, List.of("reboot"),
                EdgeOperation.SHUTDOWN, List.of("shutdown"),
                EdgeOperation.POWEROFF, List.of("poweroff"),
                EdgeOperation.LOGIND, List.of("release"))));
  }

  public EdgeFixture start() {
    return start(RequestInterceptor.NONE, new QuickFiles());
  }

  /** Its start may be where it dies. */
  public EdgeFixture start(RequestInterceptor interceptor, FileOperations files) {
    return start(interceptor, files, agents.map(real -> real.rights(node)).orElseGet(this::user));
  }

  private Config user() {
    Config rights = cluster.config();
    rights.setImpersonateUsername(AGENT);
    return rights;
  }

  /** With other rights. */
  public EdgeFixture start(RequestInterceptor interceptor, FileOperations files, Config rights) {
    RequestInterceptor noting = agents.map(real -> real.noting(interceptor)).orElse(interceptor);
    TestProcess own = cluster.process(ProcessOptions.of(noting).withRights(rights).withTime(time));
    process = Optional.of(own);
    MortalFiles mortal = new MortalFiles(files);
    disk = Optional.of(mortal);
    EdgeAgent made =
        new EdgeAgent(
            own.kube(),
            settings(node),
            new EdgeAgent.Machine(
                mortal, (_, command, _) -> record(mortal, command), boot, processes),
            new EdgeJournal(meters, (_, line) -> log.add(line)));
    made.start();
    agent = Optional.of(made);
    return this;
  }

  /** What else happens when a command is run. */
  public void onRun(Runnable what) {
    ran = what;
  }

  private CompletableFuture<Integer> record(MortalFiles of, List<String> command) {
    of.alive();
    commands.add(String.join(" ", command));
    ran.run();
    return CompletableFuture.completedFuture(exitCode);
  }

  /** Of the agent that runs. */
  public Kube kube() {
    return process.orElseThrow().kube();
  }

  /** Like kill -9. */
  public EdgeFixture kill() {
    process.ifPresent(TestProcess::kill);
    disk.ifPresent(MortalFiles::kill);
    process = Optional.empty();
    agent = Optional.empty();
    return this;
  }

  /** Power loss: what is in /run is gone, unless it was kept. */
  public EdgeFixture reboot(boolean keepsRun) {
    kill();
    boot = "boot-" + (Integer.parseInt(boot.substring(5)) + 1);
    if (!keepsRun) {
      delete(paths.run());
    }
    return this;
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the command does. */
  public void ask(EdgeOperation operation, String context, String... command) {
    publish(
        paths.asked(operation),
        StoredOperation.write(
            new DeferredOperation(
                operation,
                DeferredOperation.State.ASKED,
                cluster.clock().instant(),
                boot,
                context,
                List.of(command),
                ""),
            new RequestAsker(4711, 1, "pid:[1]", processes.uptime(), Duration.ofSeconds(60))));
    asker = Presence.RUNS;
  }

  /** As kill -9 does: the command that asked withdraws nothing. */
  public void killAsker() {
    asker = Presence.ENDED;
  }

  /** As zedagent or baseosmgr does. */
  public void request(DrainRequester by, String context) {
    publish(
        paths.request(by),
        EdgeRecords.write(new NodeDrainRequest(cluster.clock().instant(), by, context)));
  }

  public void force(String text) {
    publish(paths.force().getFirst(), text);
  }

  public void publish(Path file, String text) {
    new PublishedFiles(new QuickFiles()).publish(file, text);
  }

  public NodeDrainStatus status() {
    try {
      return EdgeRecords.status(Files.readString(paths.status()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void awaitStatus(NodeDrainState state) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(status().state())
                    .as("%s", agent.map(EdgeAgent::drain))
                    .isEqualTo(state));
  }

  public Optional<DeferredOperation> operation(EdgeOperation operation) {
    try {
      return Optional.of(StoredOperation.read(Files.readString(paths.operation(operation))));
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  public boolean isCordoned(String name) {
    return Boolean.TRUE.equals(
        cluster.client().nodes().withName(name).require().getSpec().getUnschedulable());
  }

  public String holds(String name) {
    return cluster
        .client()
        .nodes()
        .withName(name)
        .require()
        .getMetadata()
        .getAnnotations()
        .getOrDefault(HoldsAnnotation.NAME, "");
  }

  /** Notes of Events about the machine's node. */
  public List<String> events(String reason) {
    return cluster.client().events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .filter(event -> event.getRegarding().getName().equals(node))
        .map(Event::getNote)
        .toList();
  }

  /** Which stop the agent says it has seen. */
  public Optional<String> lease() {
    return Optional.ofNullable(
        cluster
            .client()
            .leases()
            .inNamespace("kube-node-lease")
            .withName(EdgeAgent.lease(node))
            .require()
            .getMetadata()
            .getAnnotations()
            .get("drydock.dev/stop-seen"));
  }

  public void createNamespace(String name) {
    var _ =
        cluster
            .client()
            .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
            .create();
  }

  public void runPod(String name) {
    cluster.runPod("default", name, node);
  }

  /** A budget that allows no eviction of a pod. */
  public void budget(String pod) {
    var _ =
        budgets()
            .resource(
                new PodDisruptionBudgetBuilder()
                    .withNewMetadata()
                    .withName(pod)
                    .endMetadata()
                    .withNewSpec()
                    .withMaxUnavailable(new IntOrString(0))
                    .withNewSelector()
                    .addToMatchLabels("app", pod)
                    .endSelector()
                    .endSpec()
                    .build())
            .create();
    eventually()
        .until(
            () -> {
              var status = budgets().withName(pod).require().getStatus();
              return status != null && status.getObservedGeneration() != null;
            });
  }

  public void removeBudget(String pod) {
    var _ = budgets().withName(pod).delete();
  }

  private NonNamespaceOperation<
          PodDisruptionBudget, PodDisruptionBudgetList, Resource<PodDisruptionBudget>>
      budgets() {
    return cluster.client().policy().v1().podDisruptionBudget().inNamespace("default");
  }

  public boolean hasPod(String name) {
    return cluster.client().pods().inNamespace("default").withName(name).get() != null;
  }

  @Override
  public void close() {
    agent.ifPresent(EdgeAgent::close);
    kill();
    if (agents.isPresent()) {
      for (String each : List.of(node, peer)) {
        var _ = cluster.client().nodes().withName(each).withGracePeriod(0).delete();
      }
    }
    if (ownsCluster) {
      cluster.close();
    }
  }
}

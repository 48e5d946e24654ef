package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.decide.NodeDrainStatus;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.FileOperations;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.edge.worker.EdgeAgent;
import dev.drydock.edge.worker.EdgeAgentSettings;
import dev.drydock.edge.worker.EdgeJournal;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
  private final boolean ownsCluster;
  private String boot = "boot-1";
  private int exitCode;
  private UnaryOperator<EdgeAgentSettings> settings = UnaryOperator.identity();
  private Optional<TestProcess> process = Optional.empty();
  private Optional<EdgeAgent> agent = Optional.empty();

  public EdgeFixture(TestCluster cluster, Path folder) {
    this(cluster, folder, cluster.addNode("edge-a"), cluster.addNode("edge-b"), true);
    eventually().until(() -> isReady(node) && isReady(peer));
  }

  private EdgeFixture(
      TestCluster cluster, Path folder, String node, String peer, boolean ownsCluster) {
    this.cluster = cluster;
    this.node = node;
    this.peer = peer;
    this.ownsCluster = ownsCluster;
    paths = new EdgePaths(folder.resolve("run"), folder.resolve("persist"), folder.resolve("tmp"));
  }

  /** Another machine of the same cluster. */
  public EdgeFixture machine(Path folder, String name) {
    return new EdgeFixture(cluster, folder, name, node, false);
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
                EdgeOperation.POWEROFF, List.of("poweroff"))));
  }

  public EdgeFixture start() {
    return start(RequestInterceptor.NONE, new QuickFiles());
  }

  /** Its start may be where it dies. */
  public EdgeFixture start(RequestInterceptor interceptor, FileOperations files) {
    Config rights = cluster.config();
    rights.setImpersonateUsername(AGENT);
    TestProcess own = cluster.process(ProcessOptions.of(interceptor).withRights(rights));
    process = Optional.of(own);
    EdgeAgent made =
        new EdgeAgent(
            own.kube(),
            settings(node),
            new EdgeAgent.Machine(files, this::record, boot),
            new EdgeJournal(new SimpleMeterRegistry(), (_, line) -> log.add(line)));
    made.start();
    agent = Optional.of(made);
    return this;
  }

  private CompletableFuture<Integer> record(List<String> command, Path output) {
    commands.add(String.join(" ", command));
    return CompletableFuture.completedFuture(exitCode);
  }

  /** Like kill -9. */
  public EdgeFixture kill() {
    process.ifPresent(TestProcess::kill);
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
                "")));
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

  public void runPod(String name) {
    cluster.runPod("default", name, node);
  }

  public boolean hasPod(String name) {
    return cluster.client().pods().inNamespace("default").withName(name).get() != null;
  }

  @Override
  public void close() {
    agent.ifPresent(EdgeAgent::close);
    kill();
    if (ownsCluster) {
      cluster.close();
    }
  }
}

package dev.drydock.testkit;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.kube.HttpTransport;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.call.LocalCalls.Answer;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.KubernetesPrograms;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

final class SimulatedTestCluster implements TestCluster {
  /** The delay of watches behind changes. */
  private static final Duration WATCH_DELAY = Duration.ofMillis(5);

  private static final Duration TICK = Duration.ofMillis(5);

  /** CRDs by their YAML: most tests install the same. */
  private static final Map<String, List<ObjectNode>> PARSED = new ConcurrentHashMap<>();

  private final SimulatedCluster cluster;
  private final TimeSource time;
  private final String kubeconfig;
  private final KubernetesClient client;
  private final List<KubernetesClient> clients = new CopyOnWriteArrayList<>();
  private final Set<String> defined = new HashSet<>();
  private final Path folder;

  SimulatedTestCluster(SimulatedCluster cluster) {
    this.cluster = cluster;
    time = cluster.time();
    try {
      kubeconfig = cluster.kubeconfig();
      folder = Files.createTempDirectory("drydock-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client = new KubernetesClientBuilder().withConfig(config()).build();
  }

  @Override
  public KubernetesClient client() {
    return client;
  }

  @Override
  public Config config() {
    return Config.fromKubeconfig(kubeconfig);
  }

  @Override
  public Clock clock() {
    return time.clock();
  }

  @Override
  public Eventually eventually() {
    return time instanceof VirtualTime virtual
        ? new VirtualEventually(virtual)
        : new RealEventually();
  }

  @Override
  public void pass(Duration duration) {
    if (time instanceof VirtualTime virtual) {
      virtual.advance(duration);
    } else {
      RealEventually.pass(duration);
    }
  }

  @Override
  public TestProcess process(ProcessOptions options) {
    return new TestProcess(
        options.time().apply(time), own -> transport(own, options), options.interceptor());
  }

  /** In real time as any program connects. */
  private Transport transport(TimeSource own, ProcessOptions options) {
    if (time instanceof VirtualTime) {
      String user = options.rights().map(Config::getImpersonateUsername).orElse("");
      return cluster.transport(own, () -> WATCH_DELAY, user);
    }
    KubernetesClient connected =
        new KubernetesClientBuilder().withConfig(options.rights().orElseGet(this::config)).build();
    clients.add(connected);
    return new HttpTransport(connected, own);
  }

  @Override
  public String addNode(String prefix) {
    return cluster.addNodes(1, prefix + "-", NodeTemplate.DEFAULT).getFirst();
  }

  @Override
  public List<String> addNodes(int count, String prefix, NodeTemplate template) {
    return cluster.addNodes(count, prefix, template);
  }

  @Override
  public void define(String definitions) {
    if (!defined.add(definitions)) {
      return;
    }
    for (ObjectNode definition : PARSED.computeIfAbsent(definitions, SimulatedTestCluster::parse)) {
      Answer created = cluster.create(definition.deepCopy());
      if (!created.isSuccess()) {
        throw new IllegalStateException(created.body().toString());
      }
    }
  }

  private static List<ObjectNode> parse(String definitions) {
    try (MappingIterator<ObjectNode> documents =
        new YAMLMapper().readerFor(ObjectNode.class).readValues(definitions)) {
      return documents.readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CommandResult kubectl(String input, String... arguments) {
    List<String> command =
        Stream.concat(
                Stream.of(KubernetesPrograms.obtain().kubectl().toString()), Stream.of(arguments))
            .toList();
    Map<String, String> environment =
        Map.of(
            "KUBECONFIG",
            write("kubeconfig", kubeconfig).toString(),
            "KUBECACHEDIR",
            folder.resolve("cache").toString(),
            "KUBERC",
            "off");
    return whileTimePasses(
        CompletableFuture.supplyAsync(
            () -> CommandResult.run(command, environment, input), Thread::startVirtualThread));
  }

  /** Lets virtual time pass while a real program waits. */
  private <T> T whileTimePasses(CompletableFuture<T> program) {
    try {
      while (true) {
        try {
          return program.get(TICK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillRuns) {
          if (time instanceof VirtualTime virtual) {
            virtual.advance(TICK);
          }
        }
      }
    } catch (InterruptedException | ExecutionException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    clients.forEach(KubernetesClient::close);
    client.close();
    cluster.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file); // with kubectl's cache in it
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

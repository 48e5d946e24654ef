package dev.drydock.bench;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.serve.socket.UnixSockets;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * An operator with part health and a connector, each in its own process, that are ready for events.
 * Their store is empty but for one event of the warm-up.
 */
final class HealthRun implements AutoCloseable {
  static final int BATCH = 100;

  /** As a node has a few monitors. */
  static final int CALLERS = 8;

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /** Callers are not checked, so that one connector may send events about all nodes. */
  private static final String CONFIG =
      """
      {
        "enableNodeBindingAuth": "false",
        "pipeline": [{"name": "MetadataAugmentor", "enabled": false, "config": "metadata.toml"}]
      }
      """;

  private final BenchCluster cluster;
  private final PeerRun operator;
  private final PeerRun connector;
  private final Path socket;
  private final HealthStorage storage;
  private final ManagedChannel channel;

  /**
   * What the operator runs, and where.
   *
   * @param flags more of them
   * @param elsewhere the kubeconfig of another cluster than that of all benchmarks, if any
   */
  record Setup(String parts, List<String> flags, Optional<Path> elsewhere) {
    static final Setup HEALTH = new Setup("health", List.of(), Optional.empty());

    Setup {
      flags = List.copyOf(flags);
    }

    /**
     * With the node drainer.
     *
     * @param toml its file
     */
    static Setup draining(Path toml) {
      return new Setup("health,node-drainer", List.of("--config-path=" + toml), Optional.empty());
    }

    Setup on(Path kubeconfig) {
      return new Setup(parts, flags, Optional.of(kubeconfig));
    }
  }

  private HealthRun(BenchCluster cluster, Contestant who, HealthStorage storage, Setup setup)
      throws IOException {
    this.cluster = cluster;
    this.storage = storage;
    Path folder = cluster.folder();
    int port = freePort();
    socket = folder.resolve("c.sock");
    Path config = Files.writeString(folder.resolve("config.json"), CONFIG);
    String namespace = setup.elsewhere().isPresent() ? "default" : cluster.namespace();
    List<String> command = new ArrayList<>(who.peer().operator(namespace));
    command.addAll(
        List.of(
            "--parts=" + setup.parts(),
            "--event-ingest-address=127.0.0.1:" + port,
            "--event-ingest-insecure=true",
            "--event-log-address=127.0.0.1:" + freePort(),
            "--quarantine-breaker-enabled=false"));
    command.addAll(storage.flags());
    command.addAll(setup.flags());
    operator = start(who, command, setup);
    connector =
        start(
            who,
            List.of(
                command.getFirst(),
                "agent",
                "--parts=connector",
                "--node-name=bench",
                "--connector-socket=" + socket,
                "--connector-config=" + config,
                "--connector-spool=" + folder.resolve("spool"),
                "--ingest-target=127.0.0.1:" + port,
                "--ingest-insecure",
                "--metrics-bind-address=0"),
            setup);
    await("the connector listens", () -> Files.exists(socket));
    await("the store exists", storage::isMade);
    channel =
        UnixSockets.channel(socket, MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
  }

  private PeerRun start(Contestant who, List<String> command, Setup setup) {
    String user = cluster.user(who);
    Map<String, String> environment = storage.environment();
    return setup
        .elsewhere()
        .map(kubeconfig -> cluster.start(user, List.of(command), kubeconfig, environment))
        .orElseGet(() -> cluster.start(user, List.of(command), environment));
  }

  /**
   * Returns when an event has come to the store.
   *
   * @param node that the event of the warm-up is about
   * @param storage of the operator; not closed by the run
   */
  static HealthRun start(BenchCluster cluster, Contestant who, String node, HealthStorage storage) {
    return start(cluster, who, node, storage, Setup.HEALTH);
  }

  /** The same, with more than the part health. */
  static HealthRun start(
      BenchCluster cluster, Contestant who, String node, HealthStorage storage, Setup setup) {
    try {
      HealthRun run = new HealthRun(cluster, who, storage, setup);
      run.send(List.of(run.healthy(node)));
      run.awaitStored(1);
      return run;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      operator.assertRunning();
      connector.assertRunning();
      if (System.nanoTime() > end) {
        throw new BenchFailure("waited %d s until %s".formatted(LIMIT.toSeconds(), what));
      }
      cluster.pods().pause(LOOK_EVERY);
    }
  }

  void awaitStored(long events) {
    await("%,d events are stored".formatted(events), () -> storage.count() >= events);
  }

  private HealthEvent.Builder event(String node) {
    return HealthEvent.builder()
        .version(1)
        .agent("gpu-health-monitor")
        .componentClass("GPU")
        .checkName("GpuXidError")
        .nodeName(node)
        .generatedTimestamp(Clock.systemUTC().instant())
        .entity("GPU", "0");
  }

  /** What monitors send most of the time. */
  HealthEvent healthy(String node) {
    return event(node).isHealthy(true).build();
  }

  /** What the shipped rules cordon a node for. */
  HealthEvent fatal(String node) {
    return event(node)
        .isFatal(true)
        .errorCode("79")
        .message("XID 79: the GPU has fallen off the bus")
        .recommendedAction(RecommendedAction.RESTART_VM)
        .build();
  }

  /** Returns when the batch is acknowledged. */
  void send(List<HealthEvent> batch) {
    var _ =
        PlatformConnectorGrpc.newBlockingStub(channel)
            .withWaitForReady()
            .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS)
            .healthEventOccurredV1(EventMessages.batch(batch));
  }

  /** Sends batches by several callers; each sends the next one when its last is acknowledged. */
  void sendAll(int batches, IntFunction<List<HealthEvent>> batch) {
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < batches; i++) {
        int number = i;
        sent.add(callers.submit(() -> send(batch.apply(number))));
      }
      sent.forEach(each -> BenchFailure.get(each, LIMIT, "a batch was not taken"));
    }
  }

  /** How long it took from the making of each event until it was stored, in milliseconds. */
  static List<Double> delays(EventStore store) {
    List<Double> delays = new ArrayList<>();
    EventQuery query = EventQuery.ALL.atMost(10_000);
    List<StoredEvent> page = store.query(query);
    while (!page.isEmpty()) {
      for (StoredEvent event : page) {
        Instant made = event.event().generatedTimestamp();
        delays.add(Duration.between(made, event.createdAt()).toNanos() / 1e6);
      }
      page = store.query(query.after(page.getLast()));
    }
    return delays.subList(1, delays.size()); // without the warm-up
  }

  void assertRunning() {
    operator.assertRunning();
    connector.assertRunning();
  }

  long operatorPid() {
    return operator.pids().getFirst();
  }

  double operatorPeakMib() {
    return operator.peakKib() / 1024.0;
  }

  Trial.Usage usage() {
    return new Trial.Usage(0, 0, operatorPeakMib());
  }

  @Override
  public void close() {
    channel.shutdownNow();
    connector.close();
    operator.close();
  }
}

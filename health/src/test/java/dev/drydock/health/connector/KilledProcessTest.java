package dev.drydock.health.connector;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A connector, the ingest with the store, and the quarantine, which uses the store from elsewhere,
 * are killed at random, also while they start, and come back while monitors send faults and
 * recoveries. {@code -Ddrydock.killed.events=100000} sends more events than a usual run does, and
 * prints what was killed.
 */
class KilledProcessTest {
  private static final int EVENTS = Integer.getInteger("drydock.killed.events", 3000);
  private static final int BATCH = 10;
  private static final int NODES = 20;

  /** Each sends the events of some nodes, one batch after the other. */
  private static final int MONITORS = 5;

  /** One kill of each process for so many batches. */
  private static final int BATCHES_PER_KILL = 100;

  private static final Duration READ_EVERY = Duration.ofSeconds(1 + EVENTS / 10_000);

  @TempDir private Path folder;
  private final SimulatedCluster cluster =
      SimulatedCluster.running(SimulatedCluster.Settings.defaults());
  private final List<String> nodes = cluster.addNodes(NODES, "node-", NodeTemplate.DEFAULT);
  private final Map<String, SupervisedProcess> processes = new LinkedHashMap<>();
  private final int port = Ports.free();

  @AfterEach
  void stop() {
    processes.values().forEach(SupervisedProcess::close);
    cluster.close();
  }

  private void start(String role) {
    processes.put(
        role,
        new SupervisedProcess(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KillableProcess.class.getName(),
                role,
                folder.toString(),
                Integer.toString(port))));
    process(role).awaitReady();
  }

  private SupervisedProcess process(String role) {
    return requireNonNull(processes.get(role));
  }

  private ManagedChannel channel() {
    return UnixSockets.channel(
        folder.resolve("c.sock"), MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
  }

  /** Faults and recoveries of random nodes of a monitor; the message says which they are. */
  private List<HealthEvent> batch(int monitor, int number, Random random) {
    List<HealthEvent> batch = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      boolean healthy = random.nextInt(3) == 0;
      int node = monitor + MONITORS * random.nextInt(NODES / MONITORS);
      batch.add(
          HealthEvent.builder()
              .version(1)
              .agent("monitor")
              .componentClass("GPU")
              .checkName("Check")
              .nodeName(nodes.get(node))
              .isHealthy(healthy)
              .isFatal(!healthy)
              .message("%d/%d/%d".formatted(monitor, number, i))
              .build());
    }
    return batch;
  }

  private static List<HealthEvent> attempt(List<HealthEvent> batch, int attempt) {
    return batch.stream()
        .map(event -> event.toBuilder().message(event.message() + "/" + attempt).build())
        .toList();
  }

  @Test
  void everyAcknowledgedEventIsThereOnceInOrderAndDecidedOn() throws Exception {
    Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
    start("central");
    start("quarantine");
    start("connector");
    long begun = System.nanoTime();
    List<List<String>> acknowledged = send();
    Set<String> known = acknowledged.stream().flatMap(List::stream).collect(Collectors.toSet());
    Duration sending = Duration.ofNanos(System.nanoTime() - begun);
    for (String role : List.of("connector", "central", "quarantine")) {
      process(role).kill();
      process(role).awaitReady();
    }

    try (EmbeddedStore store = EmbeddedStore.open(folder.resolve("store"), TimeSource.REAL)) {
      Eventually.inRealTime()
          .atMost(Duration.ofMinutes(5))
          .until(() -> store.count() >= known.size());
      Eventually.inRealTime(READ_EVERY)
          .until(() -> Set.copyOf(messages(all(store))).containsAll(known));
      List<StoredEvent> stored = all(store);
      assertThat(messages(stored)).doesNotHaveDuplicates();
      for (int monitor = 0; monitor < MONITORS; monitor++) {
        String own = monitor + "/";
        assertThat(
                messages(stored).stream()
                    .filter(message -> message.startsWith(own) && known.contains(message))
                    .toList())
            .isEqualTo(acknowledged.get(monitor));
      }
      Map<String, Boolean> healthy = new HashMap<>();
      stored.forEach(each -> healthy.put(each.event().nodeName(), each.event().isHealthy()));
      Eventually.inRealTime(READ_EVERY)
          .atMost(Duration.ofMinutes(10))
          .untilAsserted(
              () -> {
                // first, because all events take long to read
                healthy.forEach(
                    (node, isHealthy) -> assertThat(isCordoned(node)).isNotEqualTo(isHealthy));
                assertThat(wrongDecisions(all(store))).isEmpty();
              });
      Map<String, Integer> kills = new TreeMap<>();
      processes.forEach((role, process) -> kills.put(role, process.kills()));
      System.out.printf(
          "%d events acknowledged in %d s, %d stored, kills: %s%n",
          known.size(), sending.toSeconds(), stored.size(), kills);
    }
  }

  /** All monitors at once; the messages of the events that each was acknowledged, in order. */
  private List<List<String>> send() throws Exception {
    try (ExecutorService monitors = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<String>>> sent =
          IntStream.range(0, MONITORS)
              .mapToObj(monitor -> monitors.submit(() -> send(monitor)))
              .toList();
      List<List<String>> acknowledged = new ArrayList<>();
      for (Future<List<String>> each : sent) {
        acknowledged.add(each.get());
      }
      return acknowledged;
    }
  }

  private List<String> send(int monitor) throws InterruptedException {
    Random random = new Random(17 + monitor);
    List<String> acknowledged = new ArrayList<>();
    ManagedChannel channel = channel();
    for (int number = 0; number < EVENTS / BATCH / MONITORS; number++) {
      List<HealthEvent> batch = batch(monitor, number, random);
      for (String role : List.of("central", "quarantine")) {
        if (random.nextInt(BATCHES_PER_KILL) == 0) {
          process(role).kill(); // the connector keeps what comes until it is back
        }
      }
      Thread killer = null;
      if (random.nextInt(BATCHES_PER_KILL) == 0) {
        killer = Thread.ofVirtual().start(process("connector")::kill);
      }
      boolean taken = false;
      for (int attempt = 0; !taken; attempt++) {
        List<HealthEvent> sent = attempt(batch, attempt);
        try {
          var _ =
              PlatformConnectorGrpc.newBlockingStub(channel)
                  .withDeadlineAfter(10, TimeUnit.SECONDS)
                  .healthEventOccurredV1(EventMessages.batch(sent));
          sent.forEach(event -> acknowledged.add(event.message()));
          taken = true;
        } catch (StatusRuntimeException dead) {
          channel.shutdownNow();
          process("connector").awaitReady();
          channel = channel();
        }
      }
      if (killer != null) {
        killer.join();
      }
    }
    channel.shutdownNow();
    return acknowledged;
  }

  private boolean isCordoned(String node) {
    return requireNonNull(cluster.find("Node", "", node))
        .path("spec")
        .path("unschedulable")
        .asBoolean(false);
  }

  /**
   * What does not follow from the events before it. An event without a decision is one that changed
   * nothing: a fault that was cleared before anybody could act on it, or a recovery of a node that
   * was not in quarantine.
   */
  private List<String> wrongDecisions(List<StoredEvent> stored) {
    List<String> wrong = new ArrayList<>();
    Set<String> out = new HashSet<>();
    Map<String, List<StoredEvent>> byNode =
        stored.stream().collect(Collectors.groupingBy(each -> each.event().nodeName()));
    byNode.forEach(
        (node, events) -> {
          int lastRecovery = events.size() - 1;
          while (lastRecovery >= 0 && !events.get(lastRecovery).event().isHealthy()) {
            lastRecovery--;
          }
          for (int i = 0; i < events.size(); i++) {
            boolean recovers = i < lastRecovery;
            if (!follows(events.get(i), out, recovers)) {
              wrong.add(
                  "%s, in quarantine before: %s, in %s"
                      .formatted(
                          line(events.get(i)),
                          out.contains(node),
                          events
                              .subList(Math.max(0, i - 8), Math.min(events.size(), i + 4))
                              .stream()
                              .map(KilledProcessTest::line)
                              .toList()));
            }
          }
          boolean cordoned = isCordoned(node);
          if (cordoned == events.getLast().event().isHealthy()) {
            wrong.add(node + (cordoned ? " is cordoned" : " is not cordoned"));
          }
        });
    return wrong;
  }

  /**
   * @param out the nodes in quarantine; changed by the decision on the event
   * @param recovers whether a later event clears this one
   */
  private static boolean follows(StoredEvent event, Set<String> out, boolean recovers) {
    String node = event.event().nodeName();
    boolean was = out.contains(node);
    return switch (event.status().nodeQuarantined()) {
      case "Quarantined" -> !event.event().isHealthy() && !was && out.add(node);
      case "AlreadyQuarantined" -> !event.event().isHealthy() && was;
      case "UnQuarantined" -> event.event().isHealthy() && was && out.remove(node);
      case "" -> event.event().isHealthy() ? !was : recovers;
      default -> false;
    };
  }

  private static String line(StoredEvent event) {
    return "%s %s%s %s of %s at %s"
        .formatted(
            event.id().substring(18),
            event.event().isHealthy() ? "+" : "-",
            event.event().message(),
            event.status().nodeQuarantined(),
            event.episode(),
            event.createdAt());
  }

  private static List<StoredEvent> all(EmbeddedStore store) {
    List<StoredEvent> all = new ArrayList<>();
    List<StoredEvent> page = store.query(EventQuery.ALL.atMost(10_000));
    while (!page.isEmpty()) {
      all.addAll(page);
      page = store.query(EventQuery.ALL.atMost(10_000).after(page.getLast()));
    }
    return all;
  }

  private static List<String> messages(List<StoredEvent> events) {
    return events.stream().map(each -> each.event().message()).toList();
  }
}

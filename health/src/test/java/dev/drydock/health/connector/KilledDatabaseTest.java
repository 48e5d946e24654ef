package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.spool.SpoolLimits;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.postgresql.KillablePostgres;
import dev.drydock.health.store.postgresql.PostgresStore;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.testkit.Eventually;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real PostgreSQL is killed (SIGKILL) in the middle of ingest and started again. {@code
 * -Ddrydock.killed.database.seconds=60} keeps it away for a minute each time, {@code
 * -Ddrydock.killed.database.events=100000} sends more events than a usual run does.
 */
class KilledDatabaseTest {
  private static final int EVENTS = Integer.getInteger("drydock.killed.database.events", 6000);
  private static final Duration AWAY =
      Duration.ofSeconds(Integer.getInteger("drydock.killed.database.seconds", 0));
  private static final int NODES = 4;
  private static final int BATCH = 10;
  private static final int KILLS = 3;

  @TempDir private Path folder;
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger pushedBack = new AtomicInteger();

  private static String node(int number) {
    return "node-" + number;
  }

  private static List<String> messages() {
    return IntStream.range(0, EVENTS / NODES).mapToObj(Integer::toString).toList();
  }

  /** The events of a node, one batch after the other; a batch that is refused is sent again. */
  private void send(int node) {
    ManagedChannel channel =
        UnixSockets.channel(
            folder.resolve("c.sock"), MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
    List<String> messages = messages();
    for (int from = 0; from < messages.size(); from += BATCH) {
      List<HealthEvent> batch =
          messages.subList(from, Math.min(from + BATCH, messages.size())).stream()
              .map(text -> HealthEvent.builder().nodeName(node(node)).message(text).build())
              .toList();
      Eventually.inRealTime()
          .atMost(AWAY.plus(Duration.ofMinutes(5)))
          .until(() -> isTaken(channel, batch));
    }
    channel.shutdownNow();
  }

  private boolean isTaken(ManagedChannel channel, List<HealthEvent> batch) {
    try {
      var _ =
          PlatformConnectorGrpc.newBlockingStub(channel)
              .withDeadlineAfter(1, TimeUnit.MINUTES)
              .healthEventOccurredV1(EventMessages.batch(batch));
      acknowledged.addAndGet(batch.size());
      return true;
    } catch (StatusRuntimeException refused) {
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      pushedBack.incrementAndGet();
      return false;
    }
  }

  /** Returns when callers have been pushed back by an outage that lasted for some time. */
  private void killAndStart(KillablePostgres database) throws Exception {
    database.kill();
    int before = pushedBack.get();
    Eventually.inRealTime().atMost(Duration.ofMinutes(5)).until(() -> pushedBack.get() > before);
    int taken = acknowledged.get();
    Eventually.inRealTime(Duration.ofSeconds(1))
        .holdsFor(
            AWAY,
            // a few batches of callers that had found room for them
            () -> assertThat(acknowledged.get()).isLessThanOrEqualTo(taken + NODES * BATCH));
    database.start();
  }

  @Test
  void whatWasAcknowledgedIsThereOnceInOrderAndEveryConsumerIsToldOfIt() throws Exception {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (KillablePostgres database = new KillablePostgres(folder.resolve("pg"))) {
      database.start();
      try (Kube kube = new FakeApi().kube();
          PostgresStore store = PostgresStore.open(database.config(), TimeSource.REAL);
          TcpServer central = central(store, meters);
          RunningConnector connector = connector(kube, central.port(), meters);
          ChangeFeed feed = store.feed("test", ChangeFilter.NEW_EVENTS, FeedStart.LIST, () -> {});
          ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        assertThat(connector.unready()).isEmpty();
        Map<String, Set<String>> told = new HashMap<>();
        List<Future<?>> sent = new ArrayList<>();
        IntStream.range(0, NODES).forEach(node -> sent.add(callers.submit(() -> send(node))));
        for (int kill = 1; kill <= KILLS; kill++) {
          int enough = EVENTS * kill / (KILLS + 2);
          Eventually.inRealTime()
              .atMost(Duration.ofMinutes(5))
              .until(() -> readAll(feed, told) > 0 && acknowledged.get() >= enough);
          killAndStart(database);
          var _ = readAll(feed, told);
        }
        for (Future<?> caller : sent) {
          caller.get(10, TimeUnit.MINUTES);
        }

        assertThat(acknowledged).hasValue(EVENTS / NODES * NODES);
        Eventually.inRealTime()
            .atMost(Duration.ofMinutes(5))
            .until(() -> count(store) >= acknowledged.get());
        Map<String, List<String>> stored = stored(store);
        Eventually.inRealTime()
            .atMost(Duration.ofMinutes(5))
            .until(() -> readAll(feed, told) >= acknowledged.get());
        for (int node = 0; node < NODES; node++) {
          assertThat(stored.get(node(node))).isEqualTo(messages());
          assertThat(told.get(node(node))).containsExactlyElementsOf(messages());
        }
        System.out.printf(
            "%d events acknowledged and stored, PostgreSQL killed %d times and away for %d s, calls pushed back: %d%n",
            acknowledged.get(), KILLS, AWAY.toSeconds(), pushedBack.get());
      }
    }
  }

  private static long count(PostgresStore store) {
    try {
      return store.count();
    } catch (StoreUnavailable away) {
      return 0;
    }
  }

  /** The messages of each node, in order. */
  private static Map<String, List<String>> stored(PostgresStore store) {
    Map<String, List<String>> stored = new HashMap<>();
    List<StoredEvent> page = store.query(EventQuery.ALL.atMost(5000));
    while (!page.isEmpty()) {
      for (StoredEvent each : page) {
        stored
            .computeIfAbsent(each.event().nodeName(), _ -> new ArrayList<>())
            .add(each.event().message());
      }
      page = store.query(EventQuery.ALL.atMost(5000).after(page.getLast()));
    }
    return stored;
  }

  /** Adds what the feed tells; returns how many different ones that are. */
  private static int readAll(ChangeFeed feed, Map<String, Set<String>> told) {
    try {
      List<Change> changes = feed.next(500);
      while (!changes.isEmpty()) {
        for (Change change : changes) {
          told.computeIfAbsent(change.event().event().nodeName(), _ -> new LinkedHashSet<>())
              .add(change.event().event().message());
          feed.finished(change);
        }
        changes = feed.next(500);
      }
    } catch (StoreUnavailable away) {
      // its connection is from before the last kill; the next call makes another
    }
    return told.values().stream().mapToInt(Set::size).sum();
  }

  private static TcpServer central(PostgresStore store, SimpleMeterRegistry meters)
      throws Exception {
    return TcpServer.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.empty(),
        new TcpServer.Limits(
            4 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
        List.of(CentralIngest.unchecked(store, EventIntake.PLAIN, meters).service()));
  }

  private RunningConnector connector(Kube kube, int port, SimpleMeterRegistry meters)
      throws Exception {
    ConnectorConfig config =
        new ConnectorConfig(
            List.of(), new ConnectorConfig.Auth(false, "", Set.of(), false, false), false);
    return RunningConnector.start(
        kube,
        "connector",
        meters,
        new ConnectorSettings(
            folder.resolve("c.sock"),
            config,
            folder.resolve("spool"),
            SpoolLimits.of(1 << 16, Duration.ZERO),
            new Forwarder.Target("127.0.0.1:" + port, Optional.empty(), Optional.empty()),
            Optional.empty(),
            Optional.empty()));
  }
}

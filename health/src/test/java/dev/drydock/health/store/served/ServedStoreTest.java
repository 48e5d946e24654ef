package dev.drydock.health.store.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.health.connector.Forwarder;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventStoreContract;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.TcpRelay;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract over a connection, and what happens when its other end goes and comes back. */
class ServedStoreTest extends EventStoreContract {
  @TempDir private static Path folders;
  private static int number;

  private Path folder;
  private EmbeddedStore embedded;
  private StoreService service;
  private TcpServer server;

  /** Before the contract's own set-up, which opens a store. */
  @BeforeEach
  @Override
  protected void openStore() {
    folder = folders.resolve("store-" + number++);
    serve(Ports.free());
    super.openStore();
  }

  @AfterEach
  void stop() {
    service.close();
    server.close();
    embedded.close();
  }

  private void serve(int port) {
    embedded = EmbeddedStore.open(folder, TimeSource.REAL);
    service = new StoreService(embedded);
    try {
      server =
          TcpServer.listen(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
              Optional.empty(),
              new TcpServer.Limits(
                  8 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(20)),
              List.of(service.bindService()));
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
  }

  private static ServedStore connect(int port) {
    return ServedStore.open(
        new Forwarder.Target("127.0.0.1:" + port, Optional.empty(), Optional.empty()),
        TimeSource.REAL);
  }

  @Override
  protected EventStore open() {
    return connect(server.port());
  }

  @Override
  protected int expire(EventStore opened, Instant before) {
    assertThat(opened.expire(before)).as("left to the process that has the store").isZero();
    return embedded.expire(before);
  }

  private static List<String> messages(List<Change> changes) {
    return changes.stream().map(change -> change.event().event().message()).toList();
  }

  /** Until so many have come, woken by the store and by nothing else. */
  private static List<Change> awaitChanges(ChangeFeed feed, Semaphore woken, int count)
      throws InterruptedException {
    List<Change> all = new ArrayList<>();
    while (all.size() < count) {
      assertThat(woken.tryAcquire(2, TimeUnit.MINUTES)).as("woken").isTrue();
      try {
        List<Change> some = feed.next(100);
        all.addAll(some);
        some.forEach(feed::finished);
      } catch (StoreUnavailable away) {
        // woken again when it is back
      }
    }
    return all;
  }

  @Test
  void aFeedGoesOnWhereItWasWhenTheServerWasRestarted() throws InterruptedException {
    Semaphore woken = new Semaphore(0);
    try (EventStore client = connect(server.port())) {
      ChangeFeed feed = client.feed("c", ChangeFilter.ALL, FeedStart.LIST, woken::release);
      client.append(List.of(event("n1", "before")));
      assertThat(messages(awaitChanges(feed, woken, 1))).containsExactly("before");

      int port = server.port();
      stop();
      assertThatThrownBy(() -> client.append(List.of(event("n1", "refused"))))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("127.0.0.1:" + port);
      Eventually.inRealTime().until(() -> client.unready().isPresent());
      try (EmbeddedStore meanwhile = EmbeddedStore.open(folder, TimeSource.REAL)) {
        meanwhile.append(List.of(event("n1", "meanwhile")));
      }
      serve(port);

      assertThat(messages(awaitChanges(feed, woken, 1))).containsExactly("meanwhile");
      Eventually.inRealTime().until(() -> client.unready().isEmpty());
      client.append(List.of(event("n1", "after")));
      assertThat(messages(awaitChanges(feed, woken, 1))).containsExactly("after");
      assertThat(feed.relistReason()).isEmpty();
      feed.close();
    }
  }

  @Test
  void whatHappensWhileTheConnectionIsCutIsToldWhenItIsBack() throws InterruptedException {
    Semaphore woken = new Semaphore(0);
    try (TcpRelay relay = new TcpRelay(server.port());
        EventStore client = connect(relay.port())) {
      ChangeFeed feed = client.feed("c", ChangeFilter.ALL, FeedStart.LIST, woken::release);
      assertThat(feed.next(10)).isEmpty();
      Eventually.inRealTime().until(() -> client.unready().isEmpty());

      relay.cut();
      Eventually.inRealTime().until(() -> client.unready().isPresent());
      embedded.append(List.of(event("n1", "late")));
      relay.mend();

      assertThat(messages(awaitChanges(feed, woken, 1))).containsExactly("late");
      feed.close();
    }
  }

  @Test
  void aStoreThatWasRestoredIsListedAgain() {
    Path copy = folder.resolve("copy.db");
    try (EventStore client = connect(server.port())) {
      client.append(List.of(event("n1", "kept")));
      ChangeFeed feed = client.feed("c", ChangeFilter.ALL, FeedStart.NOW, () -> {});
      embedded.backup(copy);
      client.append(List.of(event("n1", "lost")));
      feed.next(10).forEach(feed::finished);

      embedded.restore(copy);

      List<Change> again = feed.next(10);
      assertThat(again).extracting(Change::kind).containsExactly(Change.Kind.LISTED);
      assertThat(messages(again)).containsExactly("kept");
      assertThat(feed.relistReason()).hasValueSatisfying(why -> assertThat(why).contains("copy"));
      assertThatThrownBy(() -> client.backup(copy)).hasMessageContaining("drydock health backup");
      feed.close();
    }
  }

  @Test
  void largeEventsAndManyEventsComeInSeveralPages() {
    try (EventStore client = connect(server.port())) {
      client.append(
          IntStream.range(0, 1200).mapToObj(i -> event("n1", "m" + i + "x".repeat(3000))).toList());
      client.append(List.of(event("n1", "large " + "x".repeat(5 << 20))));

      List<StoredEvent> all = client.query(EventQuery.ALL.atMost(100_000));

      assertThat(all).hasSize(1201);
      assertThat(all.getLast().event().message()).startsWith("large").hasSizeGreaterThan(5 << 20);
      assertThat(client.query(EventQuery.ALL.newest().atMost(700)))
          .isEqualTo(all.reversed().subList(0, 700));
      ChangeFeed feed = client.feed("c", ChangeFilter.ALL, FeedStart.LIST, () -> {});
      int listed = 0;
      List<Change> page = feed.next(500);
      while (!page.isEmpty()) {
        listed += page.size();
        page.forEach(feed::finished);
        page = feed.next(500);
      }
      assertThat(listed).isEqualTo(1201);
      feed.close();
    }
  }

  @Test
  void nobodyThereAndAFileThatIsMissingAreSaid() {
    int port = Ports.free();

    assertThatThrownBy(() -> connect(port))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageContaining("UNAVAILABLE");
    assertThatThrownBy(
            () ->
                ServedStore.open(
                    new Forwarder.Target(
                        "127.0.0.1:" + server.port(),
                        Optional.empty(),
                        Optional.of(folder.resolve("token"))),
                    TimeSource.REAL))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("cannot read the token in " + folder.resolve("token"));
  }
}

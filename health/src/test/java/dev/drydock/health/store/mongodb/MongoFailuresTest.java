package dev.drydock.health.store.mongodb;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.DatastoreVariables;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.TcpRelay;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Servers that are away or refuse, and what others write. */
class MongoFailuresTest {
  private final MongoTestServer server = MongoTestServer.newDatabase();

  private static HealthEvent keyed(String message) {
    return HealthEvent.builder()
        .nodeName("n1")
        .message(message)
        .metadata(HealthNames.IDEMPOTENCY_KEY, message)
        .build();
  }

  @Test
  void aServerThatIsAwayIsNamedWithoutThePassword() {
    int free = Ports.free();
    MongoConfig config =
        MongoConfig.of(
            DatastoreVariables.of(
                Map.of("MONGODB_URI", "mongodb://me:not-told@127.0.0.1:%d/".formatted(free))));

    assertThatThrownBy(() -> MongoStore.open(config, TimeSource.REAL).close())
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContainingAll("127.0.0.1:" + free, "does not answer", "$MONGODB_URI")
        .hasMessageNotContaining("not-told");
    assertThat(config.toString()).doesNotContain("not-told");
  }

  @Test
  void theVariablesOfTheOriginalAreRead() {
    assertThatThrownBy(() -> MongoConfig.of(DatastoreVariables.of(Map.of())))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("$MONGODB_URI");
    assertThatThrownBy(
            () -> MongoConfig.of(DatastoreVariables.of(Map.of("MONGODB_URI", "me:secret@db"))))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("mongodb://HOST:PORT/")
        .hasMessageNotContaining("secret");
    MongoConfig config =
        MongoConfig.of(DatastoreVariables.of(Map.of("MONGODB_URI", "mongodb://db:1/")));
    assertThat(config.toString())
        .contains("db:1", "HealthEventsDatabase", "HealthEvents", "ResumeTokens");
    MongoConfig named =
        MongoConfig.of(
            DatastoreVariables.of(
                Map.of(
                    "DATASTORE_HOST",
                    "db",
                    "DATASTORE_USERNAME",
                    "me",
                    "DATASTORE_PASSWORD",
                    "p@ss word",
                    "MONGODB_DATABASE_NAME",
                    "nvsentinel",
                    "MONGODB_COLLECTION_NAME",
                    "healthevents",
                    "MONGODB_TOKEN_COLLECTION_NAME",
                    "tokens",
                    "DATASTORE_MAX_CONNECTIONS",
                    "3")));
    assertThat(named.toString()).contains("db:27017", "nvsentinel", "healthevents", "tokens");
    assertThat(new String(named.uri().getPassword())).isEqualTo("p@ss word");
    assertThat(named.connections()).isEqualTo(3);
  }

  @Test
  void anOutageIsToldNothingIsTakenMeanwhileAndAfterwardsAllGoesOn() {
    try (TcpRelay relay = new TcpRelay(MongoTestServer.port());
        MongoStore store = MongoStore.open(server.config(relay.port()), TimeSource.REAL)) {
      ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.LIST, () -> {});
      store.append(List.of(keyed("before")));
      feed.next(10).forEach(feed::finished);

      relay.cut();

      assertThat(catchThrowable(() -> store.append(List.of(keyed("during")))))
          .isInstanceOf(StoreUnavailable.class);
      Eventually.inRealTime().until(() -> store.unready().isPresent());
      relay.mend();
      Eventually.inRealTime().until(() -> store.unready().isEmpty());

      assertThat(store.append(List.of(keyed("before"), keyed("during"))).duplicates()).isEqualTo(1);
      assertThat(feed.next(10))
          .extracting(change -> change.event().event().message())
          .contains("during");
      feed.close();
    }
  }

  @Test
  void connectionsAreAsManyAsSetHoweverManySend() throws InterruptedException {
    try (TcpRelay relay = new TcpRelay(MongoTestServer.port());
        MongoStore store = MongoStore.open(server.config(relay.port()), TimeSource.REAL)) {
      // those that opened the store end
      Eventually.inRealTime().until(() -> relay.connections() <= 6);
      AtomicInteger most = new AtomicInteger();
      List<Thread> nodes =
          IntStream.range(0, 100)
              .mapToObj(
                  node ->
                      Thread.ofVirtual()
                          .start(
                              () -> {
                                Eventually.inRealTime()
                                    .untilAsserted(() -> store.append(List.of(keyed("m" + node))));
                                most.accumulateAndGet(relay.connections(), Math::max);
                              }))
              .toList();
      for (Thread node : nodes) {
        node.join();
      }

      assertThat(store.count()).isEqualTo(100);
      assertThat(most.get()).as("4 of the pool, and the driver's own two").isBetween(1, 6);
    }
  }

  @Test
  void thePositionOfTheOriginalIsTakenOver() {
    try (MongoStore store = MongoStore.open(server.config(), TimeSource.REAL);
        MongoClient client = MongoClients.create(server.uri())) {
      ChangeFeed other = store.feed("other", ChangeFilter.ALL, FeedStart.NOW, () -> {});
      store.append(List.of(keyed("seen"), keyed("missed")));
      String token = other.next(10).getFirst().token();
      other.close();
      client
          .getDatabase(server.database())
          .getCollection("ResumeTokens")
          .insertOne(new Document("clientName", "c").append("resumeToken", Document.parse(token)));

      ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.LIST, () -> {});

      assertThat(feed.next(10))
          .extracting(change -> change.event().event().message())
          .containsExactly("missed");
      feed.close();
    }
  }

  @Test
  void positionsAreInTheOriginalsDocuments() {
    try (MongoStore store = MongoStore.open(server.config(), TimeSource.REAL);
        MongoClient client = MongoClients.create(server.uri())) {
      ChangeFeed feed = store.feed("fault-quarantine", ChangeFilter.ALL, FeedStart.NOW, () -> {});
      store.append(List.of(keyed("a")));
      List<Change> changes = feed.next(10);
      changes.forEach(feed::finished);
      feed.close();

      Document saved =
          requireNonNull(
              client.getDatabase(server.database()).getCollection("ResumeTokens").find().first());

      assertThat(saved).containsEntry("clientName", "fault-quarantine");
      assertThat(changes).hasSize(1);
      assertThat(saved.get("resumeToken", Document.class).toJson())
          .isEqualTo(Document.parse(changes.getFirst().token()).toJson());
    }
  }
}

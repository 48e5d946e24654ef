package dev.drydock.health.store.postgresql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.DatastoreVariables;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.TcpRelay;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are away, refuse, or have not what is needed. */
class PostgresFailuresTest {
  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  private static HealthEvent event(String message) {
    return HealthEvent.builder().nodeName("n1").message(message).build();
  }

  private static HealthEvent keyed(String message) {
    return event(message).toBuilder().metadata(HealthNames.IDEMPOTENCY_KEY, message).build();
  }

  private static String failure(PostgresConfig config) {
    StoreUnavailable failed =
        catchThrowableOfType(
            StoreUnavailable.class, () -> PostgresStore.open(config, TimeSource.REAL).close());
    assertThat(failed.getMessage().lines()).hasSize(1);
    assertThat(failed.getMessage()).doesNotContain(PostgresServer.PASSWORD);
    return failed.getMessage();
  }

  @Test
  void aServerThatIsAwayIsNamed() {
    int free = Ports.free();

    assertThat(failure(PostgresServer.config(database, free, "postgres", "")))
        .contains("127.0.0.1:" + free, "does not answer", "$DATASTORE_HOST");
  }

  @Test
  void aWrongPasswordIsToldAndNeverPrinted() {
    String wrong = PostgresServer.PASSWORD + "-wrong";
    PostgresConfig config =
        PostgresServer.config(database, server.port(), PostgresServer.CAREFUL, wrong);

    assertThat(failure(config)).contains("careful", "$DATASTORE_PASSWORD");
    assertThat(config.toString()).doesNotContain(wrong);
  }

  @Test
  void aDatabaseThatIsMissingIsToldWithWhatToDo() {
    assertThat(failure(server.config("none"))).contains("no database none", "create it");
  }

  @Test
  void aUserWithoutRightsIsToldWhichTablesAreMissing() {
    String line =
        failure(
            PostgresServer.config(
                database, server.port(), PostgresServer.CAREFUL, PostgresServer.PASSWORD));

    assertThat(line)
        .contains("careful", "permission denied", "table health_events", "docs/health.md");
  }

  @Test
  void aUserWithTheGrantsOfTheDocumentationUsesTablesThatOthersHaveMade() throws IOException {
    PostgresStore.open(server.config(database), TimeSource.REAL).close();
    server.execute(database, grants());
    PostgresConfig config =
        PostgresServer.config(
            database, server.port(), PostgresServer.CAREFUL, PostgresServer.PASSWORD);
    try (PostgresStore store = PostgresStore.open(config, TimeSource.REAL)) {
      String id = store.append(List.of(keyed("m"))).ids().getFirst();
      ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.LIST, () -> {});
      feed.next(10).forEach(feed::finished);
      assertThat(store.update(id, StatusUpdate.NONE.episode("e"))).isTrue();
      feed.next(10).forEach(feed::finished);
      feed.close();
      assertThat(store.expire(Instant.now().plusSeconds(60))).isEqualTo(1);
    }
  }

  /** As they are printed for users. */
  private static String[] grants() throws IOException {
    Path docs = Path.of("").toAbsolutePath();
    while (!Files.exists(docs.resolve("docs/health.md"))) {
      docs = requireNonNull(docs.getParent());
    }
    List<String> grants =
        Files.readString(docs.resolve("docs/health.md"))
            .lines()
            .filter(line -> line.startsWith("grant "))
            .map(line -> line.replace("drydock;", PostgresServer.CAREFUL + ";"))
            .toList();
    assertThat(grants).isNotEmpty();
    return grants.toArray(String[]::new);
  }

  @Test
  void tablesOfTheOriginalAreCompletedAndWhatIsInThemStays() {
    server.execute(
        database,
        """
        create table health_events (id uuid primary key default gen_random_uuid(), node_name varchar(255) not null,
          event_type varchar(100), severity varchar(50), recommended_action varchar(100), node_quarantined varchar(50),
          user_pods_eviction_status varchar(50) default 'NotStarted', user_pods_eviction_message text,
          fault_remediated boolean, last_remediation_timestamp timestamptz, document jsonb not null,
          created_at timestamptz default now(), updated_at timestamptz default now())
        """,
        "insert into health_events (node_name, document) values ('n1',"
            + " '{\"healthevent\": {\"nodename\": \"n1\", \"message\": \"theirs\"}}')");

    try (PostgresStore store = PostgresStore.open(server.config(database), TimeSource.REAL)) {
      store.append(List.of(event("ours")));

      assertThat(store.query(EventQuery.ALL))
          .extracting(stored -> stored.event().message())
          .containsExactly("theirs", "ours");
    }
  }

  @Test
  void whoeverOnlyReadsMakesNoTables() {
    assertThatThrownBy(
            () -> PostgresStore.openExisting(server.config(database), TimeSource.REAL).close())
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContainingAll("table health_events", "docs/health.md");
    assertThat(
            server.number(database, "select count(*) from pg_tables where schemaname = 'public'"))
        .isZero();
    try (PostgresStore store = PostgresStore.open(server.config(database), TimeSource.REAL)) {
      store.append(List.of(event("m")));
    }
    try (PostgresStore store =
        PostgresStore.openExisting(server.config(database), TimeSource.REAL)) {
      assertThat(store.query(EventQuery.ALL)).hasSize(1);
    }
  }

  @Test
  void withoutTheIndexNothingIsTaken() {
    try (TcpRelay relay = new TcpRelay(server.port());
        PostgresStore store =
            PostgresStore.open(
                PostgresServer.config(database, relay.port(), "postgres", ""), TimeSource.REAL)) {
      server.execute(database, "drop index healthevent_idempotency_key_unique");

      assertThatThrownBy(() -> store.append(List.of(event("m"))))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("healthevent_idempotency_key_unique");
      relay.cut();
      relay.mend();
      Eventually.inRealTime()
          .untilAsserted(
              () ->
                  assertThat(store.unready())
                      .hasValueSatisfying(
                          why -> assertThat(why).contains("healthevent_idempotency_key_unique")));
    }
  }

  @Test
  void anOutageIsToldNothingIsTakenMeanwhileAndAfterwardsAllGoesOn() {
    try (TcpRelay relay = new TcpRelay(server.port());
        PostgresStore store =
            PostgresStore.open(
                PostgresServer.config(database, relay.port(), "postgres", ""), TimeSource.REAL)) {
      AtomicInteger woken = new AtomicInteger();
      ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.LIST, woken::incrementAndGet);
      store.append(List.of(keyed("before")));
      feed.next(10).forEach(feed::finished);

      relay.cut();

      assertThat(catchThrowable(() -> store.append(List.of(keyed("during")))))
          .isInstanceOf(StoreUnavailable.class);
      Eventually.inRealTime()
          .untilAsserted(
              () ->
                  assertThat(store.unready())
                      .hasValueSatisfying(why -> assertThat(why).contains("does not answer")));
      int before = woken.get();
      relay.mend();
      Eventually.inRealTime().until(() -> store.unready().isEmpty());

      // whoever was refused sends it again: a connection of the pool may be one that was cut
      Eventually.inRealTime()
          .untilAsserted(
              () ->
                  assertThat(store.append(List.of(keyed("before"), keyed("during"))).duplicates())
                      .isEqualTo(1));
      Eventually.inRealTime().until(() -> woken.get() > before);
      assertThat(feed.next(10))
          .extracting(change -> change.event().event().message())
          .containsExactly("during");
      assertThat(feed.relistReason()).isEmpty();
      feed.close();
    }
  }

  @Test
  void connectionsAreAsManyAsSetHoweverManySend() throws InterruptedException {
    try (TcpRelay relay = new TcpRelay(server.port());
        PostgresStore store =
            PostgresStore.open(
                PostgresServer.config(database, relay.port(), "postgres", ""), TimeSource.REAL)) {
      int before = relay.accepted();
      List<Thread> nodes =
          IntStream.range(0, 100)
              .mapToObj(
                  node ->
                      Thread.ofVirtual()
                          .start(
                              () ->
                                  Eventually.inRealTime()
                                      .untilAsserted(
                                          () -> store.append(List.of(keyed("m" + node))))))
              .toList();
      for (Thread node : nodes) {
        node.join();
      }

      assertThat(store.query(EventQuery.ALL)).hasSize(100);
      assertThat(relay.accepted() - before)
          .as("4 of the pool and the listener")
          .isLessThanOrEqualTo(5);
    }
  }

  @Test
  void theVariablesOfTheOriginalAreRead(@TempDir Path folder) throws IOException {
    Map<String, String> environment = new HashMap<>();
    assertThatThrownBy(() -> PostgresConfig.of(DatastoreVariables.of(environment)))
        .isInstanceOf(StoreMisconfigured.class)
        .hasMessageContaining("$DATASTORE_HOST");
    environment.put("DATASTORE_HOST", "db");
    environment.put("DATASTORE_DATABASE", "events");
    environment.put("DATASTORE_USERNAME", "me");
    PostgresConfig config = PostgresConfig.of(DatastoreVariables.of(environment));
    assertThat(config.port()).isEqualTo(5432);
    assertThat(config.sslMode()).isEqualTo("require");
    assertThat(config.connections()).isEqualTo(10);
    environment.put("DATASTORE_PORT", "x");
    assertThatThrownBy(() -> PostgresConfig.of(DatastoreVariables.of(environment)))
        .hasMessageContaining("$DATASTORE_PORT");
    environment.put("DATASTORE_PORT", "6000");
    environment.put("DATASTORE_SSLMODE", "sometimes");
    assertThatThrownBy(() -> PostgresConfig.of(DatastoreVariables.of(environment)))
        .hasMessageContaining("verify-full");

    Path yaml =
        Files.writeString(
            folder.resolve("datastore.yaml"),
            """
            provider: postgresql
            connection: {host: db2, port: 6001, database: e2, username: u2, sslmode: disable}
            """);
    PostgresConfig fromFile =
        PostgresConfig.of(
            DatastoreVariables.of(
                Map.of("DATASTORE_YAML_PATH", yaml.toString(), "DATASTORE_PASSWORD", "p")));
    assertThat(fromFile.toString()).contains("db2:6001", "e2", "u2", "disable");
    assertThat(fromFile.password()).isEqualTo("p");
    assertThatThrownBy(() -> DatastoreVariables.of(Map.of("DATASTORE_YAML", "a: [secret")))
        .hasMessageContaining("not YAML")
        .hasMessageNotContaining("secret");
  }
}

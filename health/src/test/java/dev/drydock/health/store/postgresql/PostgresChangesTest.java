package dev.drydock.health.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusField;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order of changes where transactions overlap, and what others write. */
class PostgresChangesTest {
  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();
  private final PostgresStore store = PostgresStore.open(server.config(database), TimeSource.REAL);
  private final AtomicInteger woken = new AtomicInteger();

  @AfterEach
  void close() {
    store.close();
  }

  private static HealthEvent event(String message) {
    return HealthEvent.builder().nodeName("n1").message(message).build();
  }

  private ChangeFeed feed() {
    return store.feed("c", ChangeFilter.ALL, FeedStart.LIST, woken::incrementAndGet);
  }

  private static List<String> next(ChangeFeed feed) {
    List<Change> changes = feed.next(100);
    changes.forEach(feed::finished);
    return changes.stream().map(change -> change.event().event().message()).toList();
  }

  /** As the original's components write an event. */
  private static String foreign(String message) {
    return """
        insert into health_events (node_name, document) values ('n1',
          '{"healthevent": {"nodeName": "n1", "message": "%s", "generatedTimestamp": {"seconds": 7, "nanos": 9}},
            "healtheventstatus": {"nodequarantined": null, "userpodsevictionstatus": {}}}')
        """
        .formatted(message);
  }

  @Test
  void whatIsCommittedLateIsNotSkipped() throws SQLException {
    ChangeFeed feed = feed();
    assertThat(next(feed)).isEmpty();
    try (Connection late = server.connect(database);
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.execute(foreign("late"));
      store.append(List.of(event("early")));

      assertThat(next(feed)).as("a lower number is missing").isEmpty();
      late.commit();
    }

    assertThat(next(feed)).containsExactly("late", "early");
    feed.close();
  }

  @Test
  void whatWasRolledBackIsNotWaitedForForever() throws SQLException {
    ChangeFeed feed = feed();
    assertThat(next(feed)).isEmpty();
    try (Connection failing = server.connect(database);
        Statement statement = failing.createStatement()) {
      failing.setAutoCommit(false);
      statement.execute(foreign("never"));
      store.append(List.of(event("good")));
      int before = woken.get();
      assertThat(next(feed)).isEmpty();
      Eventually.inRealTime().until(() -> woken.get() > before);
      failing.rollback();
    }
    assertThat(next(feed)).containsExactly("good");
    feed.close();
  }

  @Test
  void severalOverlappingTransactionsAreToldInOneOrderAndCompletely() throws Exception {
    ChangeFeed feed = feed();
    assertThat(next(feed)).isEmpty();
    int writers = 6;
    int each = 40;
    List<Thread> threads =
        IntStream.range(0, writers)
            .mapToObj(
                writer ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              try (Connection connection = server.connect(database);
                                  Statement statement = connection.createStatement()) {
                                connection.setAutoCommit(false);
                                for (int i = 0; i < each; i++) {
                                  statement.execute(foreign(writer + "/" + i + "a"));
                                  statement.execute(foreign(writer + "/" + i + "b"));
                                  if (i % 3 == 0) {
                                    connection.rollback();
                                  } else {
                                    connection.commit();
                                  }
                                }
                              } catch (SQLException e) {
                                throw new IllegalStateException(e);
                              }
                            }))
            .toList();
    List<String> seen = new ArrayList<>();
    while (threads.stream().anyMatch(Thread::isAlive)) {
      seen.addAll(next(feed));
    }
    Eventually.inRealTime()
        .untilAsserted(
            () -> {
              seen.addAll(next(feed));
              assertThat(seen)
                  .hasSize(
                      2 * (int) server.number(database, "select count(*)/2 from health_events"));
            });

    assertThat(seen).doesNotHaveDuplicates();
    assertThat(seen.size())
        .isEqualTo(writers * 2 * (int) IntStream.range(0, each).filter(i -> i % 3 != 0).count());
    feed.close();
  }

  @Test
  void aFeedThatBeginsDuringATransactionMissesNothingOfIt() throws Exception {
    CompletableFuture<ChangeFeed> opened;
    try (Connection late = server.connect(database);
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.execute(foreign("late"));
      store.append(List.of(event("early")));
      opened = CompletableFuture.supplyAsync(this::feed, Thread::startVirtualThread);
      Eventually.inRealTime()
          .until(
              () ->
                  server.number(database, "select count(*) from pg_locks where not granted") == 1);
      late.commit();
    }
    ChangeFeed feed = opened.join();

    assertThat(next(feed)).containsExactlyInAnyOrder("late", "early");
    feed.close();
  }

  @Test
  void aChangeOfSomebodyElseWakesTheFeed() {
    ChangeFeed feed = feed();
    assertThat(next(feed)).isEmpty();

    server.execute(database, foreign("theirs"));

    Eventually.inRealTime().until(() -> next(feed).contains("theirs"));
    feed.close();
  }

  @Test
  void updatesOfTheOriginalAreUnderstood() {
    String id = store.append(List.of(event("m"))).ids().getFirst();
    store.update(id, StatusUpdate.NONE.episode("e-1").spanId("fq", "1"));
    ChangeFeed feed = feed();
    next(feed);

    server.execute(
        database,
        "update health_events set document = jsonb_set(document, '{healtheventstatus,nodequarantined}',"
            + " '\"Quarantined\"') where id = '"
            + id
            + "'",
        "update health_events set document = jsonb_set(document,"
            + " '{healtheventstatus,userpodsevictionstatus}', '{\"status\": \"InProgress\"}')"
            + " where id = '"
            + id
            + "'",
        "update health_events set document = jsonb_set(document,"
            + " '{healtheventstatus,userpodsevictionstatus}', '{\"status\": \"Succeeded\", \"message\": \"\"}')"
            + " where id = '"
            + id
            + "'",
        "update health_events set document = jsonb_set(document,"
            + " '{healtheventstatus,faultremediated}', '{\"value\": true}') where id = '"
            + id
            + "'");

    List<Change> changes = feed.next(100);
    assertThat(changes)
        .extracting(change -> change.update().values().keySet())
        .containsExactly(
            Set.of(StatusField.NODE_QUARANTINED),
            Set.of(StatusField.USER_PODS_EVICTION_STATUS_STATUS),
            Set.of(StatusField.USER_PODS_EVICTION_STATUS),
            Set.of(StatusField.FAULT_REMEDIATED));
    assertThat(changes.stream().filter(ChangeFilter.QUARANTINE_DECISIONS::wants)).hasSize(1);
    assertThat(store.get(id).orElseThrow().episode()).isEqualTo("e-1");
    assertThat(store.get(id).orElseThrow().status().faultRemediated()).isTrue();
    feed.close();
  }

  @Test
  void oursAreInTheColumnsAndDocumentsThatTheOriginalReads() {
    String id = store.append(List.of(event("m"))).ids().getFirst();

    store.update(
        id,
        StatusUpdate.NONE
            .nodeQuarantined(HealthStatus.QUARANTINED)
            .evictionStatus(HealthStatus.IN_PROGRESS));

    assertThat(
            server.number(
                database,
                "select count(*) from health_events where node_quarantined = 'Quarantined'"
                    + " and user_pods_eviction_status = 'InProgress'"
                    + " and document #>> '{healtheventstatus,nodequarantined}' = 'Quarantined'"
                    + " and document #>> '{healtheventstatus,userpodsevictionstatus,status}' = 'InProgress'"
                    + " and document #>> '{healthevent,nodename}' = 'n1'"))
        .isEqualTo(1);
    assertThat(
            server.number(
                database,
                "select count(*) from datastore_changelog where table_name = 'health_events'"
                    + " and record_id = '"
                    + id
                    + "' and not processed and new_values is not null"))
        .isEqualTo(2);
  }

  @Test
  void aDocumentThatCannotBeReadHidesNoOther() {
    ChangeFeed feed = feed();
    next(feed);
    server.execute(
        database,
        "insert into health_events (node_name, document) values ('n1', '{\"healthevent\": 7}')",
        foreign("good"));

    List<Change> changes = feed.next(100);

    assertThat(changes).hasSize(2);
    assertThat(changes.getFirst().event().event().processingStrategy().acts()).isFalse();
    assertThat(store.query(EventQuery.ALL)).hasSize(2);
    feed.close();
  }

  @Test
  void rowsOfOtherTablesMoveThePosition() {
    ChangeFeed feed = feed();
    next(feed);
    for (int i = 0; i < 250; i++) {
      server.execute(
          database,
          "insert into datastore_changelog (table_name, record_id, operation)"
              + " values ('maintenance_events', gen_random_uuid(), 'INSERT')");
    }
    store.append(List.of(event("m")));

    assertThat(next(feed)).containsExactly("m");
    feed.close();
  }

  @Test
  void aChangeLogThatWasCutIsListedInstead() {
    ChangeFeed feed = feed();
    store.append(List.of(event("a"), event("b")));
    assertThat(next(feed)).isNotEmpty();
    feed.save();
    server.execute(database, "delete from datastore_changelog");

    assertThat(next(feed)).containsExactly("a", "b");
    assertThat(feed.relistReason()).hasValueSatisfying(why -> assertThat(why).contains("go back"));
    feed.close();
  }

  @Test
  void aRestoredDatabaseIsListedAlsoIfItsNumbersHaveGoneOn() {
    ChangeFeed feed = feed();
    store.append(List.of(event("a"), event("b")));
    while (!next(feed).isEmpty()) {}
    feed.close();
    // as after a restored dump: the same numbers for other changes
    server.execute(database, "truncate datastore_changelog restart identity");
    store.append(List.of(event("c"), event("d"), event("e"), event("f")));

    ChangeFeed again = feed();

    List<Change> changes = again.next(100);
    assertThat(changes).extracting(Change::kind).containsOnly(Change.Kind.LISTED);
    assertThat(changes).hasSize(6);
    again.close();
  }

  @Test
  void thePositionOfTheOriginalIsTakenOver() {
    store.append(List.of(event("seen"), event("missed")));
    server.execute(
        database,
        "insert into resume_tokens (client_name, resume_token) select 'c', json_build_object("
            + "'timestamp', '2026-01-01T00:00:00Z', 'eventID', min(id)) from datastore_changelog");

    ChangeFeed feed = feed();

    assertThat(next(feed)).containsExactly("missed");
    feed.save();
    feed.close();
    assertThat(
            server.number(
                database, "select (resume_token ->> 'eventID')::bigint from resume_tokens"))
        .isEqualTo(server.number(database, "select max(id) from datastore_changelog"));
  }
}

package dev.drydock.health.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.testkit.Eventually;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every event store promises. */
public abstract class EventStoreContract {
  private EventStore store;

  /** The same store each time, with what was stored before. */
  protected abstract EventStore open();

  /** Where that is done by the process that has the store, the test does it there. */
  protected int expire(EventStore opened, Instant before) {
    return opened.expire(before);
  }

  @BeforeEach
  protected void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private void reopen() {
    store.close();
    store = open();
  }

  protected static HealthEvent event(String node, String message) {
    return HealthEvent.builder()
        .version(1)
        .agent("gpu-health-monitor")
        .componentClass("GPU")
        .checkName("GpuXidError")
        .isFatal(true)
        .message(message)
        .recommendedAction(RecommendedAction.RESTART_VM)
        .errorCode("79")
        .entity("GPU", "0")
        .metadata("rack", "r1")
        .generatedTimestamp(Instant.parse("2026-01-02T03:04:05.123456789Z"))
        .nodeName(node)
        .processingStrategy(ProcessingStrategy.EXECUTE_REMEDIATION)
        .build();
  }

  protected static HealthEvent keyed(String node, String message, String key) {
    return event(node, message).toBuilder().metadata(HealthNames.IDEMPOTENCY_KEY, key).build();
  }

  private String append(HealthEvent event) {
    return store.append(List.of(event)).ids().getFirst();
  }

  private ChangeFeed feed(String consumer) {
    return store.feed(consumer, ChangeFilter.ALL, FeedStart.LIST, () -> {});
  }

  /** All that there is, finished or not. */
  private static List<Change> drain(ChangeFeed feed, boolean finish) {
    List<Change> all = new ArrayList<>();
    List<Change> some = feed.next(100);
    while (!some.isEmpty()) {
      all.addAll(some);
      if (finish) {
        some.forEach(feed::finished);
      }
      some = feed.next(100);
    }
    return all;
  }

  private static List<String> messages(List<Change> changes) {
    return changes.stream().map(change -> change.event().event().message()).toList();
  }

  @Test
  void whatIsAppendedCanBeReadAsItWasAlsoAfterARestart() {
    HealthEvent event = event("n1", "m");
    String id = append(event);

    reopen();

    StoredEvent stored = store.get(id).orElseThrow();
    assertThat(stored.event()).isEqualTo(event.toBuilder().id(id).build());
    assertThat(stored.status().nodeQuarantined()).isEmpty();
    assertThat(stored.status().userPodsEvictionStatus()).isEqualTo(OperationStatus.EMPTY);
    assertThat(stored.status().faultRemediated()).isNull();
    assertThat(store.get("000000000000000000000000")).isEmpty();
    assertThat(store.get("no id")).isEmpty();
  }

  @Test
  void numbersOfNewerMonitorsAreKept() {
    String id =
        append(
            event("n1", "m").toBuilder()
                .recommendedAction(new RecommendedAction(4711))
                .processingStrategy(new ProcessingStrategy(17))
                .build());

    HealthEvent stored = store.get(id).orElseThrow().event();

    assertThat(stored.recommendedAction().number()).isEqualTo(4711);
    assertThat(stored.processingStrategy().number()).isEqualTo(17);
  }

  @Test
  void anEventWithAKeyIsStoredOnceAndTheRestOfARepeatedBatchIsStored() {
    List<HealthEvent> batch =
        IntStream.range(0, 4).mapToObj(i -> keyed("n1", "m" + i, "pod#k#" + i)).toList();
    Appended first = store.append(batch.subList(0, 2));

    reopen();
    Appended again = store.append(batch);

    assertThat(again.duplicates()).isEqualTo(2);
    assertThat(again.ids().subList(0, 2)).isEqualTo(first.ids());
    assertThat(store.query(EventQuery.ALL))
        .extracting(stored -> stored.event().message())
        .containsExactly("m0", "m1", "m2", "m3");
    assertThat(store.append(batch).duplicates()).isEqualTo(4);
  }

  @Test
  void oneKeyTwiceInABatchIsOneEvent() {
    Appended appended = store.append(List.of(keyed("n1", "a", "k"), keyed("n1", "b", "k")));

    assertThat(appended.duplicates()).isEqualTo(1);
    assertThat(store.query(EventQuery.ALL)).hasSize(1);
  }

  @Test
  void queriesChooseByNodeStateAndTimeInEitherOrderPageByPage() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ids.add(append(event(i % 2 == 0 ? "even" : "odd", "m" + i)));
    }
    store.update(ids.get(0), StatusUpdate.NONE.nodeQuarantined(HealthStatus.QUARANTINED));
    store.update(ids.get(1), StatusUpdate.NONE.nodeQuarantined(HealthStatus.UN_QUARANTINED));
    store.update(ids.get(4), StatusUpdate.NONE.nodeQuarantined(HealthStatus.ALREADY_QUARANTINED));

    assertThat(found(EventQuery.ALL.ofNode("even"))).containsExactly("m0", "m2", "m4");
    assertThat(found(EventQuery.ALL.ofNode("even").newest().atMost(2))).containsExactly("m4", "m2");
    assertThat(found(EventQuery.ALL.withNodeQuarantined("Quarantined", "AlreadyQuarantined")))
        .containsExactly("m0", "m4");
    assertThat(
            found(
                EventQuery.ALL
                    .withNodeQuarantined("Quarantined", "UnQuarantined", "AlreadyQuarantined")
                    .newest()
                    .atMost(2)))
        .containsExactly("m4", "m1");
    assertThat(found(EventQuery.ALL.ofNode("odd").withNodeQuarantined("")))
        .containsExactly("m3", "m5");
    StoredEvent third = store.get(ids.get(2)).orElseThrow();
    assertThat(found(EventQuery.ALL.after(third))).containsExactly("m3", "m4", "m5");
    assertThat(found(EventQuery.ALL.newest().after(third))).containsExactly("m1", "m0");
    assertThat(found(EventQuery.ALL.createdSince(third.createdAt()))).contains("m2", "m5");
    assertThat(found(EventQuery.ALL.createdSince(Instant.now().plusSeconds(3600)))).isEmpty();
  }

  private List<String> found(EventQuery query) {
    return store.query(query).stream().map(stored -> stored.event().message()).toList();
  }

  @Test
  void updatesChangeTheirFieldsOnly() {
    String id = append(event("n1", "m"));
    Instant time = Instant.parse("2026-01-02T03:04:05.123Z");

    store.update(
        id,
        StatusUpdate.NONE
            .nodeQuarantined(HealthStatus.QUARANTINED)
            .quarantineFinished(time)
            .episode("e-1")
            .spanId("fq", "1"));
    store.update(id, StatusUpdate.NONE.evictionStatus(HealthStatus.IN_PROGRESS).spanId("nd", "2"));
    store.update(id, StatusUpdate.NONE.faultRemediated(false));
    reopen();

    StoredEvent stored = store.get(id).orElseThrow();
    assertThat(stored.status().nodeQuarantined()).isEqualTo("Quarantined");
    assertThat(stored.status().quarantineFinishTimestamp()).isEqualTo(time);
    assertThat(stored.status().userPodsEvictionStatus())
        .isEqualTo(new OperationStatus("InProgress", ""));
    assertThat(stored.status().spanIds()).containsEntry("fq", "1").containsEntry("nd", "2");
    assertThat(stored.status().faultRemediated()).isFalse();
    assertThat(stored.episode()).isEqualTo("e-1");
    assertThat(store.update("000000000000000000000000", StatusUpdate.NONE.episode("x"))).isFalse();
  }

  @Test
  protected void aPartIsToldFromTheWhole() {
    String id = append(event("n1", "m"));
    ChangeFeed feed = feed("c");
    drain(feed, true);

    store.update(id, StatusUpdate.NONE.nodeQuarantined(HealthStatus.QUARANTINED));
    store.update(id, StatusUpdate.NONE.evictionStatus(HealthStatus.IN_PROGRESS));
    store.update(id, StatusUpdate.NONE.eviction(HealthStatus.SUCCEEDED, "all gone"));

    List<Change> changes = drain(feed, true);
    assertThat(changes).extracting(Change::kind).containsOnly(Change.Kind.UPDATED);
    assertThat(changes)
        .extracting(change -> change.update().values().keySet().iterator().next())
        .containsExactly(
            StatusField.NODE_QUARANTINED,
            StatusField.USER_PODS_EVICTION_STATUS_STATUS,
            StatusField.USER_PODS_EVICTION_STATUS);
    assertThat(changes.stream().filter(ChangeFilter.QUARANTINE_DECISIONS::wants)).hasSize(1);
    assertThat(changes.stream().filter(ChangeFilter.FINISHED_DRAINS::wants)).hasSize(1);
    feed.close();
  }

  @Test
  void aNewConsumerGetsWhatIsThereThenWhatHappens() {
    append(event("n1", "before"));
    ChangeFeed feed = feed("c");
    List<Change> listed = drain(feed, true);
    append(event("n1", "after"));

    List<Change> told = drain(feed, true);

    assertThat(listed).extracting(Change::kind).containsExactly(Change.Kind.LISTED);
    assertThat(messages(listed)).containsExactly("before");
    assertThat(told).extracting(Change::kind).containsExactly(Change.Kind.INSERTED);
    assertThat(messages(told)).containsExactly("after");
    feed.close();
  }

  @Test
  void aNewConsumerMayBeginNow() {
    append(event("n1", "before"));
    ChangeFeed feed = store.feed("c", ChangeFilter.ALL, FeedStart.NOW, () -> {});
    append(event("n1", "after"));

    assertThat(messages(drain(feed, true))).containsExactly("after");
    feed.close();
  }

  @Test
  void aPositionIsNeverPastAnUnfinishedChange() {
    ChangeFeed feed = feed("c");
    drain(feed, true);
    for (int i = 0; i < 5; i++) {
      append(event("n" + i, "m" + i));
    }
    List<Change> changes = drain(feed, false);
    List.of(0, 1, 3, 4).forEach(i -> feed.finished(changes.get(i)));
    feed.close();

    reopen();
    ChangeFeed next = feed("c");

    assertThat(messages(drain(next, true))).containsExactly("m2", "m3", "m4");
    next.close();
    ChangeFeed last = feed("c");
    assertThat(drain(last, true)).isEmpty();
    last.close();
  }

  @Test
  void aCrashRepeatsAndLosesNothing() {
    ChangeFeed feed = feed("c");
    drain(feed, true);
    append(event("n1", "m"));
    assertThat(drain(feed, false)).hasSize(1);

    // without closing the feed
    reopen();
    ChangeFeed next = feed("c");

    assertThat(messages(drain(next, true))).containsExactly("m");
    next.close();
  }

  @Test
  void whatTheFilterLeavesOutMovesThePositionToo() {
    ChangeFilter none = _ -> false;
    ChangeFeed feed = store.feed("c", none, FeedStart.LIST, () -> {});
    for (int i = 0; i < 3; i++) {
      append(event("n1", "m" + i));
    }
    assertThat(feed.next(10)).isEmpty();
    feed.close();

    reopen();
    ChangeFeed all = feed("c");

    assertThat(drain(all, true)).as("skipped changes have tokens, too").isEmpty();
    all.close();
  }

  @Test
  void everyChangeHasATokenOfItsOwn() {
    ChangeFeed feed = feed("c");
    for (int i = 0; i < 10; i++) {
      append(event("n1", "m" + i));
    }

    List<Change> changes = drain(feed, true);

    assertThat(changes).extracting(Change::token).doesNotHaveDuplicates().doesNotContain("");
    feed.close();
  }

  @Test
  void consumersHavePositionsOfTheirOwn() {
    append(event("n1", "m"));
    ChangeFeed one = feed("one");
    drain(one, true);
    one.close();

    ChangeFeed two = feed("two");

    assertThat(drain(two, true)).hasSize(1);
    two.close();
    store.forget("one");
    ChangeFeed forgotten = feed("one");
    assertThat(drain(forgotten, true)).hasSize(1);
    forgotten.close();
  }

  @Test
  void whatIsInFlightIsBounded() {
    ChangeFeed feed = feed("c");
    drain(feed, true);
    store.append(
        IntStream.range(0, ChangeFeed.IN_FLIGHT + 10).mapToObj(i -> event("n", "m" + i)).toList());

    List<Change> first = drain(feed, false);
    assertThat(first).hasSize(ChangeFeed.IN_FLIGHT);
    first.forEach(feed::finished);
    assertThat(drain(feed, true)).hasSize(10);
    feed.close();
  }

  @Test
  void aListThatWasInterruptedGoesOnWhereItWas() {
    for (int i = 0; i < 4; i++) {
      append(event("n1", "m" + i));
    }
    ChangeFeed feed = feed("c");
    List<Change> some = feed.next(2);
    some.forEach(feed::finished);
    feed.close();
    append(event("n1", "later"));

    reopen();
    ChangeFeed next = feed("c");

    assertThat(messages(drain(next, true)))
        .containsSubsequence("m2", "m3", "later")
        .doesNotContain("m0", "m1");
    next.close();
  }

  @Test
  void oldEventsGoAndNobodyStumblesOverThem() {
    ChangeFeed feed = feed("c");
    String old = append(keyed("n1", "old", "k-old"));
    store.update(old, StatusUpdate.NONE.nodeQuarantined(HealthStatus.QUARANTINED));

    assertThat(expire(store, Instant.now().plusSeconds(60))).isEqualTo(1);
    String young = append(event("n1", "young"));

    assertThat(store.get(old)).isEmpty();
    assertThat(young).isNotEqualTo(old);
    assertThat(store.query(EventQuery.ALL)).extracting(StoredEvent::id).containsExactly(young);
    assertThat(messages(drain(feed, true))).contains("young");
    feed.close();
    assertThat(expire(store, Instant.EPOCH)).isZero();
  }

  @Test
  void aReplayTellsTheEpisodeSoThatWorkOfAnEarlierOneIsStale() {
    String first = append(event("n1", "first"));
    String second = append(event("n1", "second"));
    store.update(first, StatusUpdate.NONE.nodeQuarantined(HealthStatus.QUARANTINED).episode("e-1"));
    store.update(first, StatusUpdate.NONE.nodeQuarantined(HealthStatus.UN_QUARANTINED));
    store.update(
        second, StatusUpdate.NONE.nodeQuarantined(HealthStatus.QUARANTINED).episode("e-2"));
    ChangeFeed feed = feed("c");
    drain(feed, false);

    // nothing was finished, so all of it comes again, and later changes with it
    reopen();
    ChangeFeed again = feed("c");
    store.update(first, StatusUpdate.NONE.eviction(HealthStatus.SUCCEEDED, "late"));
    store.update(second, StatusUpdate.NONE.evictionStatus(HealthStatus.IN_PROGRESS));
    List<Change> replayed = drain(again, true);

    String present =
        store
            .query(
                EventQuery.ALL.ofNode("n1").withNodeQuarantined("Quarantined").newest().atMost(1))
            .getFirst()
            .episode();
    assertThat(present).isEqualTo("e-2");
    assertThat(replayed)
        .filteredOn(change -> !change.event().episode().equals(present))
        .isNotEmpty()
        .allSatisfy(
            change -> {
              assertThat(change.event().id()).isEqualTo(first);
              assertThat(change.event().episode()).isEqualTo("e-1");
            });
    assertThat(replayed)
        .filteredOn(change -> change.event().id().equals(second))
        .isNotEmpty()
        .allSatisfy(change -> assertThat(change.event().episode()).isEqualTo("e-2"));
    again.close();
  }

  @Test
  void textsOfAnyKindAreKeptOrCleanedAndNeverRefused() {
    HealthEvent odd =
        event("n".repeat(300), "a\u0000b \ud83d\ude00 \"quoted\" \\\\u0000 \n").toBuilder()
            .checkName("c".repeat(5000))
            .metadata("$set.a", "{}")
            .build();

    String id = append(odd);

    StoredEvent stored = store.get(id).orElseThrow();
    assertThat(stored.event().message().replace('\ufffd', '\u0000')).isEqualTo(odd.message());
    assertThat(stored.event().nodeName()).isEqualTo(odd.nodeName());
    assertThat(stored.event().checkName()).isEqualTo(odd.checkName());
    assertThat(stored.event().metadata()).isEqualTo(odd.metadata());
    assertThat(store.query(EventQuery.ALL.ofNode(odd.nodeName()))).hasSize(1);
  }

  @Test
  void consumersAreWoken() {
    int[] woken = {0};
    ChangeFeed feed =
        store.feed(
            "c",
            ChangeFilter.ALL,
            FeedStart.LIST,
            () -> {
              synchronized (woken) {
                woken[0]++;
                woken.notifyAll();
              }
            });
    drain(feed, true);

    append(event("n1", "m"));

    Eventually.inRealTime()
        .until(
            () -> {
              synchronized (woken) {
                return woken[0] > 0;
              }
            });
    assertThat(drain(feed, true)).isNotEmpty();
    feed.close();
  }

  @Test
  void whoLooksOnceLeavesNoPositionBehind() {
    append(event("n1", "before"));
    ChangeFeed once = store.feed("c", ChangeFilter.ALL, FeedStart.UNSAVED, () -> {});
    append(event("n1", "after"));
    assertThat(messages(drain(once, true))).containsExactly("after");
    once.close();

    ChangeFeed first = feed("c");

    assertThat(messages(drain(first, true))).contains("before", "after");
    first.close();
  }

  @Test
  void oneUnfinishedChangeHoldsThePositionHoweverManyAreFinishedAfterIt() {
    ChangeFeed feed = feed("c");
    drain(feed, true);
    append(event("n1", "stuck"));
    List<Change> stuck = drain(feed, false);
    for (int i = 0; i < 3; i++) {
      store.append(
          IntStream.range(0, ChangeFeed.IN_FLIGHT).mapToObj(_ -> event("n2", "m")).toList());
      assertThat(drain(feed, true)).hasSize(ChangeFeed.IN_FLIGHT);
    }
    feed.close();

    reopen();
    ChangeFeed next = feed("c");

    assertThat(messages(next.next(1))).isEqualTo(messages(stuck));
    next.close();
  }

  @Test
  void aStoreThatIsOpenIsReady() {
    Eventually.inRealTime()
        .untilAsserted(() -> assertThat(store.unready()).isEqualTo(Optional.empty()));
    append(event("n1", "m"));
    assertThat(store.count()).isPositive();
  }
}

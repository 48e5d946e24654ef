package dev.drydock.maintenance.notify;

import static dev.drydock.maintenance.notify.TestNotices.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Channel.Outcome;
import dev.drydock.maintenance.notify.Notice.Extras;
import dev.drydock.testkit.LoopBug;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an outbox promises while nothing dies. */
abstract class OutboxContract {
  private static final String NODE = "node-1";

  private OutboxFixture fixture;
  private final TestingChannel channel = new TestingChannel("first");
  private final TestingChannel other = new TestingChannel("second");

  @BeforeEach
  void open(OutboxFixture given) {
    fixture = given;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** What is counted, as words. */
  private static final class TestingCounter implements NoticeCounter {
    final List<String> counted = new CopyOnWriteArrayList<>();

    @Override
    public void delivered(String name) {
      counted.add("delivered " + name);
    }

    @Override
    public void failed(String name) {
      counted.add("failed " + name);
    }
  }

  @Test
  void deliversInOrderToEveryChannelAndKeepsNothing() {
    OutboxFixture.Operator operator = fixture.operator(channel, other);
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 5));

    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(1, 2, 3, 4, 5);
    assertThat(other.all(NODE)).containsExactly(1, 2, 3, 4, 5);
    assertThat(channel.taken()).startsWith(numbered(NODE, 1));
  }

  @Test
  void oneNoticeCostsTwoWrites() {
    OutboxFixture.Operator operator = fixture.operator(channel, other);
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 1));

    fixture.untilEmpty();
    assertThat(operator.http().requests())
        .containsEntry(Verb.CREATE, 1L)
        .containsEntry(Verb.DELETE, 1L)
        .doesNotContainKey(Verb.PATCH);
  }

  @Test
  void whatNobodyWantsCostsNothing() {
    OutboxFixture.Operator operator =
        fixture.operator(new TestingChannel("picky", notice -> false));

    operator.append(numbered(NODE, 1, 3));

    assertThat(operator.requests()).isZero();
    assertThat(fixture.stored()).isEmpty();
  }

  @Test
  void twiceIsOnce() {
    OutboxFixture.Operator operator = fixture.operator(channel);
    operator.append(numbered(NODE, 1, 2));
    operator.append(numbered(NODE, 1, 2));

    operator.outbox().start();

    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(1, 2);
  }

  @Test
  void isStoredWhereAPersonCanReadIt() {
    String longName = "n".repeat(253);
    fixture.operator(channel).append(numbered(longName, 1, 1));

    ConfigMap stored = fixture.stored(longName);
    assertThat(stored.getMetadata().getName()).matches("drydock-outbox-[0-9a-f]{20}");
    assertThat(stored.getMetadata().getAnnotations()).containsEntry("drydock.dev/node", longName);
    assertThat(stored.getMetadata().getLabels()).containsEntry("drydock.dev/outbox", "true");
    assertThat(stored.getData()).containsOnlyKeys("00000001");
    assertThat(stored.getData().get("00000001"))
        .contains("\"event\":\"SLAStarted\"", "\"pending\":[\"first\"]");
  }

  @Test
  void theOrderIsKeptWhileTheReceiverFailsAndRecovers() {
    channel.that(
        notice ->
            channel.tries() % 3 == 0 ? new Outcome.Delivered() : Outcome.Later.because("moody"));
    OutboxFixture.Operator operator = fixture.operator(channel);
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 10));
    fixture.eventually().until(() -> channel.tries() > 12);
    channel.that(TestingChannel.DEAD);
    int tries = channel.tries();
    operator.append(numbered(NODE, 11, 15));
    fixture.eventually().until(() -> channel.tries() > tries + 3);
    channel.recover();

    fixture.untilEmpty();
    assertThat(channel.all(NODE))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 15).boxed().toList());
  }

  @Test
  void aRestartInTheMiddleDeliversTheRest() {
    channel.that(
        notice ->
            TestNotices.number(notice) <= 3
                ? new Outcome.Delivered()
                : Outcome.Later.because("full"));
    try (OutboxFixture.Operator first = fixture.operator(channel)) {
      first.outbox().start();
      first.append(numbered(NODE, 1, 6));
      fixture.eventually().until(() -> channel.numbers(NODE).size() == 3);
    }
    channel.recover();

    OutboxFixture.Operator second = fixture.operator(channel);
    second.append(numbered(NODE, 7, 7));
    second.outbox().start();

    fixture.untilEmpty();
    assertThat(channel.numbers(NODE)).containsExactly(1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void whatAChannelHasTakenIsNotSentAgainForTheSakeOfAnother() {
    other.that(TestingChannel.DEAD);
    try (OutboxFixture.Operator first = fixture.operator(channel, other)) {
      first.outbox().start();
      first.append(numbered(NODE, 1, 3));
      fixture
          .eventually()
          .until(
              () ->
                  fixture.stored(NODE).getData().values().stream()
                      .allMatch(entry -> entry.contains("\"pending\":[\"second\"]")));
    }
    other.recover();
    fixture.operator(channel, other).outbox().start();

    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(1, 2, 3);
    assertThat(other.all(NODE)).containsExactly(1, 2, 3);
  }

  @Test
  void aSlowNodeHoldsUpNoOther() {
    channel.that(
        notice -> {
          if (notice.node().equals(NODE)) {
            fixture.eventually().until(() -> channel.all("node-2").size() == 3);
          }
          return new Outcome.Delivered();
        });
    OutboxFixture.Operator operator = fixture.operator(channel);
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 3));
    operator.append(numbered("node-2", 1, 3));

    fixture.untilEmpty();
    assertThat(channel.taken().subList(0, 3)).isEqualTo(numbered("node-2", 1, 3));
    assertThat(channel.all(NODE)).containsExactly(1, 2, 3);
  }

  @Test
  void aDeadReceiverHoldsUpNeitherAppendNorAnotherChannel() {
    channel.that(TestingChannel.DEAD);
    TestingChannel hanging =
        new TestingChannel("hanging")
            .that(
                notice -> {
                  fixture.eventually().until(() -> other.all(NODE).size() == 50);
                  assertThat(channel.taken()).isEmpty();
                  return new Outcome.Delivered();
                });
    OutboxFixture.Operator operator = fixture.operator(channel, hanging, other);
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 50));

    assertThat(fixture.stored(NODE).getData()).hasSize(50);
    fixture.eventually().until(() -> other.all(NODE).size() == 50);
    assertThat(channel.taken()).isEmpty();
  }

  @Test
  void whatIsRefusedIsDroppedAndDoesNotStopTheRest() {
    channel.that(
        notice ->
            TestNotices.number(notice) == 2
                ? new Outcome.Refused("poison")
                : new Outcome.Delivered());
    TestingCounter counter = new TestingCounter();
    OutboxFixture.Operator operator =
        fixture.operator(RequestInterceptor.NONE, fixture.settings(), counter, channel, other);
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 3));

    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(1, 3);
    assertThat(other.all(NODE)).containsExactly(1, 2, 3);
    assertThat(counter.counted)
        .filteredOn(word -> word.endsWith("first"))
        .containsExactly("delivered first", "failed first", "delivered first");
  }

  @Test
  void everyFailedTryCounts() {
    channel.that(
        notice -> channel.tries() <= 2 ? Outcome.Later.because("busy") : new Outcome.Delivered());
    TestingCounter counter = new TestingCounter();
    OutboxFixture.Operator operator =
        fixture.operator(RequestInterceptor.NONE, fixture.settings(), counter, channel);
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 1));

    fixture.untilEmpty();
    assertThat(counter.counted).containsExactly("failed first", "failed first", "delivered first");
  }

  @Test
  void whatNobodyTookForTooLongIsDropped() {
    Duration day = fixture.day();
    OutboxSettings settings =
        fixture
            .settings()
            .withRetention(day)
            .withBackoff(new Backoff(day.dividedBy(1000), day.dividedBy(200)));
    channel.that(TestingChannel.DEAD);
    OutboxFixture.Operator operator = fixture.operator(RequestInterceptor.NONE, settings, channel);
    operator.outbox().start();
    operator.append(numbered(NODE, 1, 2));
    fixture.pass(day.multipliedBy(3).dividedBy(4));
    operator.append(numbered(NODE, 3, 3));

    fixture.eventually().atMost(day).until(() -> fixture.stored(NODE).getData().size() == 1);
    channel.recover();
    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(3);
  }

  @Test
  void theOldestIsDroppedOfTooMany() {
    TestingCounter counter = new TestingCounter();
    OutboxSettings usual = fixture.settings();
    OutboxSettings three =
        new OutboxSettings(usual.namespace(), usual.retention(), 3, usual.backoff());
    OutboxFixture.Operator operator =
        fixture.operator(RequestInterceptor.NONE, three, counter, channel);

    operator.append(numbered(NODE, 1, 5));

    assertThat(fixture.stored(NODE).getData()).hasSize(3);
    assertThat(counter.counted).containsExactly("failed first", "failed first");
    operator.outbox().start();
    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(3, 4, 5);
  }

  @Test
  void whatIsStoredStaysSmallerThanTheApiServerTakes() {
    Extras large = new Extras("x".repeat(200_000), "", "", "");
    OutboxFixture.Operator operator = fixture.operator(channel);

    for (int i = 1; i <= 8; i++) {
      operator
          .outbox()
          .append(
              Notice.of(
                  NoticeEvent.SLA_STARTED,
                  TestNotices.AT,
                  TestNotices.subject(NODE, "m-" + i, large)));
    }

    assertThat(fixture.stored(NODE).getData().values().stream().mapToInt(String::length).sum())
        .isBetween(500_000, 1_000_000);
    operator.outbox().start();
    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(6, 7, 8);
  }

  @Test
  void whatAnotherProcessStoresIsDeliveredToo() {
    fixture.operator(channel).outbox().start();
    OutboxFixture.Operator stranger = fixture.operator(channel);

    stranger.append(numbered(NODE, 1, 2));

    fixture.eventually().until(() -> channel.numbers(NODE).equals(List.of(1, 2)));
    fixture.untilEmpty();
  }

  @Test
  void twoProcessesThatStoreAtOnceLoseNothing() throws Exception {
    List<OutboxFixture.Operator> processes =
        List.of(fixture.operator(channel), fixture.operator(channel));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> both =
          List.of(
              threads.submit(() -> processes.get(0).append(numbered(NODE, 1, 20))),
              threads.submit(() -> processes.get(1).append(numbered(NODE, 21, 40))));
      for (Future<?> each : both) {
        each.get();
      }
    }

    assertThat(fixture.stored(NODE).getData()).hasSize(40);
    processes.get(0).outbox().start();
    fixture.untilEmpty();
    assertThat(channel.numbers(NODE))
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 40).boxed().toList());
    assertThat(channel.numbers(NODE)).filteredOn(number -> number <= 20).isSorted();
    assertThat(channel.numbers(NODE)).filteredOn(number -> number > 20).isSorted();
  }

  @Test
  void aPersonMayDeleteWhatWaits() {
    channel.that(TestingChannel.DEAD);
    OutboxFixture.Operator operator = fixture.operator(channel);
    operator.outbox().start();
    operator.append(numbered(NODE, 1, 2));

    fixture.client().configMaps().resource(fixture.stored(NODE)).delete();
    operator.append(numbered(NODE, 3, 3));
    assertThat(fixture.stored(NODE).getData()).hasSize(1);
    channel.recover();

    fixture.untilEmpty();
    assertThat(channel.numbers(NODE)).endsWith(3);
  }

  @Test
  void whatSomebodyElseWroteIntoItIsSweptAway() {
    fixture.operator(channel).append(numbered(NODE, 1, 2));
    fixture
        .client()
        .configMaps()
        .resource(fixture.stored(NODE))
        .edit(
            stored -> {
              stored.setData(
                  Map.of(
                      "00000001", "broken",
                      "00000002", stored.getData().get("00000002"),
                      "note", "hello"));
              return stored;
            });

    fixture.operator(channel).outbox().start();

    fixture.untilEmpty();
    assertThat(channel.all(NODE)).containsExactly(2);
  }

  @Test
  void noticesForAChannelThatIsConfiguredNoMoreAreDropped() {
    fixture.operator(channel, other).append(numbered(NODE, 1, 2));

    fixture.operator(other).outbox().start();

    fixture.untilEmpty();
    assertThat(channel.taken()).isEmpty();
    assertThat(other.all(NODE)).containsExactly(1, 2);
  }

  @Test
  void reachesReceiversOverTheWire(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "key");
    try (TestingReceiver webhook = new TestingReceiver();
        TestingReceiver slack = new TestingReceiver()) {
      webhook.answer(new TestingReceiver.Answer(500)).answer(new TestingReceiver.Answer(503));
      slack.answer(new TestingReceiver.Answer(404));
      Path url = Files.writeString(folder.resolve("url"), slack.url("/T/B/X"));
      List<ChannelSettings> settings =
          List.of(
              ChannelSettings.webhook(webhook.url("/hook"), secret),
              ChannelSettings.slack(url),
              ChannelSettings.of(ChannelSettings.Type.SNS));
      OutboxFixture.Operator operator =
          fixture.operator(Channels.open(settings, Clock.systemUTC()).toArray(Channel[]::new));
      operator.outbox().start();

      operator.append(numbered(NODE, 1, 3));

      fixture.untilEmpty();
      assertThat(webhook.requests).hasSize(5);
      assertThat(webhook.requests.subList(2, 5))
          .extracting(request -> Json.read(request.text()).path("id").asText())
          .containsExactlyElementsOf(
              numbered(NODE, 1, 3).stream().map(Notice::deduplicationId).toList());
      assertThat(slack.requests).hasSize(3);
    }
  }

  @Test
  void whatCannotBeStoredIsToldToWhoeverAppends() {
    OutboxFixture.Operator operator =
        fixture.operator(
            RequestInterceptor.NONE,
            OutboxSettings.defaults("no-such-namespace").withBackoff(fixture.settings().backoff()),
            channel);

    assertThatThrownBy(() -> operator.append(numbered(NODE, 1, 1)))
        .isInstanceOf(ApiFailure.class)
        .hasMessageStartingWith("notices of node node-1: ");
  }

  @Test
  void aChannelThatThrowsIsShownAndTriedAgainAndHarmsNeitherAnotherChannelNorAnotherNode() {
    LoopBug bug = new LoopBug();
    channel.that(
        notice -> {
          if (notice.node().equals(NODE)) {
            bug.strike();
          }
          return new Outcome.Delivered();
        });
    TestingCounter counter = new TestingCounter();
    OutboxFixture.Operator operator =
        fixture.operator(RequestInterceptor.NONE, fixture.settings(), counter, channel, other);
    Kube kube = operator.process().kube();
    operator.outbox().start();

    operator.append(numbered(NODE, 1, 3));
    operator.append(numbered("node-2", 1, 3));

    bug.staysIn(
        "notice-delivery",
        kube,
        fixture.eventually(),
        () -> {
          assertThat(fixture.stored()).hasSize(1);
          assertThat(fixture.stored(NODE).getData().values())
              .allMatch(entry -> entry.contains("\"pending\":[\"first\"]"));
          assertThat(channel.all("node-2")).containsExactly(1, 2, 3);
          assertThat(other.all(NODE)).containsExactly(1, 2, 3);
          assertThat(kube.health().degraded())
              .as("with no word of what the channel threw, which may have secrets in it")
              .containsExactly(
                  "notice-delivery first for node-1: unexpected exception: "
                      + "dev.drydock.maintenance.notify.ChannelLimiter$ChannelBug: "
                      + "channel first failed with java.lang.IllegalStateException");
          assertThat(counter.counted).contains("failed first").doesNotContain("failed second");
        },
        () -> assertThat(channel.all(NODE)).containsExactly(1, 2, 3));
    fixture.untilEmpty();
  }

  @Test
  void aBugInTheRecordsOfOneNodeHoldsUpNoOther() {
    LoopBug bug = new LoopBug().atWritesTo("/" + QueueConfigMap.name(NODE));
    OutboxFixture.Operator operator = fixture.operator(bug, fixture.settings(), channel);
    operator.outbox().start();
    operator.append(numbered("node-2", 1, 1));
    operator.append(numbered(NODE, 1, 1));

    bug.staysIn(
        "notices",
        operator.process().kube(),
        fixture.eventually(),
        () -> {
          assertThat(channel.all(NODE)).containsOnly(1);
          assertThat(channel.all("node-2")).containsExactly(1);
          assertThat(fixture.stored()).hasSize(1);
        },
        () -> assertThat(fixture.stored()).isEmpty());
  }

  @Test
  void aFewNoticesAreOnTheirWayToAChannelAtATime() {
    List<Integer> inFlight = new CopyOnWriteArrayList<>();
    AtomicInteger now = new AtomicInteger();
    channel.that(
        notice -> {
          inFlight.add(now.incrementAndGet());
          fixture.pass(Duration.ofMillis(20));
          now.decrementAndGet();
          return new Outcome.Delivered();
        });
    OutboxFixture.Operator operator = fixture.operator(channel);
    operator.outbox().start();

    for (int i = 1; i <= 100; i++) {
      operator.append(numbered("node-" + i, 1, 1));
    }

    fixture.untilEmpty();
    assertThat(channel.taken()).hasSize(100);
    assertThat(inFlight).allMatch(count -> count <= 32);
  }
}

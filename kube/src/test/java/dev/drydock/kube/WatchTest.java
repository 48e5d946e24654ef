package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchTest {
  private static final Backoff SHORT = new Backoff(Duration.ofMillis(2), Duration.ofMillis(10));

  private TestingApiServer server;
  private KubeHttp http;
  private Kube kube;
  private Watch<String> watch;
  private final CountDownLatch endOfTest = new CountDownLatch(1);
  private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();

  @BeforeEach
  void start() throws IOException {
    server = new TestingApiServer();
    http = new KubeHttp(server.client(), RequestInterceptor.NONE, 500);
    kube = new Kube(http, TimeSource.REAL);
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(new Source("/things", "fieldSelector=a%3Db"), WatchTest::read),
                new Watch.Listener<>() {
                  @Override
                  public void changed(@Nullable String before, @Nullable String after) {
                    told.add(before + "->" + after);
                  }

                  @Override
                  public void refreshed() {
                    told.add("refreshed");
                  }
                },
                SHORT);
  }

  @AfterEach
  void stop() {
    endOfTest.countDown();
    watch.close();
    kube.close();
    server.close();
  }

  private static String read(JsonNode object) {
    return object.path("name").asText()
        + "@"
        + object.path("metadata").path("resourceVersion").asText();
  }

  private static String object(String name, int version) {
    return "{\"name\": \"%s\", \"metadata\": {\"uid\": \"%s\", \"resourceVersion\": \"%d\"}}"
        .formatted(name, name, version);
  }

  private static String event(String type, String name, int version) {
    return "{\"type\": \"%s\", \"object\": %s}".formatted(type, object(name, version));
  }

  private static String list(int version, String token, String... objects) {
    return "{\"metadata\": {\"resourceVersion\": \"%d\", \"continue\": \"%s\"}, \"items\": [%s]}"
        .formatted(version, token, String.join(",", objects));
  }

  /** Answers with a watch that stays open. */
  private void idleWatch(String... lines) {
    server.watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          for (String line : lines) {
            TestingApiServer.writeLine(exchange, line);
          }
          endOfTest.await();
        });
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(2));
  }

  /** The listener is told after the state has changed. */
  private void awaitTold(String... all) {
    await().untilAsserted(() -> assertThat(told).containsExactly(all));
  }

  private void awaitItems(String... items) {
    await()
        .untilAsserted(
            () -> {
              Watch.State<String> state = watch.state();
              assertThat(state.items()).containsExactlyInAnyOrder(items);
              assertThat(state.unsynced()).isEmpty();
            });
  }

  @Test
  void isUnsyncedBeforeTheFirstList() {
    assertThat(watch.state())
        .isEqualTo(
            new Watch.State<>(List.of(), Optional.of("not listed yet"), false, Map.of(), "", 0));
  }

  @Test
  void listsAllPagesAndWatchesFromThere() {
    server.answer(200, list(5, "next", object("a", 1))).answer(200, list(6, "", object("b", 2)));
    idleWatch(event("MODIFIED", "a", 7), event("DELETED", "b", 8), event("ADDED", "c", 9));

    watch.start();

    awaitItems("a@7", "c@9");
    awaitTold("refreshed", "a@1->a@7", "b@2->null", "null->c@9");
    assertThat(watch.state().list()).as("number of the list").isEqualTo(watch.listsBegun());
    assertThat(watch.listsBegun()).isEqualTo(1);
    assertThat(server.requests.get(0)).contains("/things?fieldSelector=a%3Db&limit=500 ");
    assertThat(server.requests.get(1)).contains("continue=next");
    assertThat(server.requests.get(2)).contains("watch=true").contains("resourceVersion=6&");
  }

  @Test
  void resumesAWatchThatEndedInOrderWithoutAList() {
    server.answer(200, list(5, "", object("a", 1)));
    server.watch(
        event("MODIFIED", "a", 6),
        "{\"type\": \"BOOKMARK\", \"object\": {\"metadata\": {\"resourceVersion\": \"20\"}}}");
    idleWatch(event("ADDED", "b", 21));

    watch.start();

    awaitItems("a@6", "b@21");
    assertThat(server.requests.get(2)).contains("resourceVersion=20&");
    assertThat(server.requests).hasSize(3);
  }

  @Test
  void listsAgainWhenTheVersionIsTooOld() {
    server.answer(200, list(5, "", object("a", 1), object("gone", 2)));
    server.watch(
        "{\"type\": \"ERROR\", \"object\": {\"kind\": \"Status\", \"code\": 410, \"reason\": \"Expired\"}}");
    server.answer(200, list(50, "", object("a", 40)));
    server.watch(exchange -> TestingApiServer.send(exchange, 410, "{\"code\": 410}"));
    server.answer(200, list(60, "", object("a", 55)));
    idleWatch();

    watch.start();

    awaitItems("a@55");
  }

  @Test
  void keepsTheFactsThatANewListRepeats() {
    CountDownLatch seen = new CountDownLatch(1);
    server.answer(200, list(5, "", object("a", 1)));
    server.watch("{\"type\": \"ERROR\", \"object\": {\"code\": 410}}");
    server.answer(
        exchange -> {
          seen.await();
          TestingApiServer.send(exchange, 200, list(50, "", object("a", 1), object("c", 40)));
        });
    idleWatch();
    watch.start();
    await().until(() -> watch.state().items().equals(List.of("a@1")));
    String first = watch.state().items().getFirst();
    seen.countDown();
    awaitItems("a@1", "c@40");

    assertThat(watch.state().items()).anySatisfy(item -> assertThat(item).isSameAs(first));
  }

  @Test
  void listsAgainAfterACutInTheMiddleOfALine() {
    server.answer(200, list(5, "", object("a", 1)));
    server.watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange
              .getResponseBody()
              .write("{\"type\": \"ADD".getBytes(java.nio.charset.StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          throw new IOException("cable cut");
        });
    server.answer(200, list(9, "", object("b", 8)));
    idleWatch();

    watch.start();

    awaitItems("b@8");
  }

  @Test
  void saysThatItsFactsAreOldWhileTheServerIsInTrouble() {
    CountDownLatch repaired = new CountDownLatch(1);
    server.answer(200, list(5, "", object("a", 1)));
    server.watch(
        exchange -> TestingApiServer.send(exchange, 500, "{\"message\": \"etcd is away\"}"));
    server.answer(
        exchange -> {
          repaired.await();
          TestingApiServer.send(exchange, 200, list(9, "", object("a", 8)));
        });
    idleWatch();

    watch.start();
    await().until(() -> watch.state().unsynced().isPresent());
    await().until(() -> watch.state().unsynced().equals(Optional.of("etcd is away")));
    repaired.countDown();

    awaitItems("a@8");
  }

  @Test
  void saysWhatToDoAboutAKindThatIsNotInstalled() {
    server.answer(404, "404 page not found");
    server.answer(exchange -> endOfTest.await());

    watch.start();

    await().until(() -> watch.state().unsynced().orElse("").contains("drydock crds"));
    assertThat(watch.state().unsynced().orElse("")).contains("has no things");
  }

  @Test
  void tellsWhatMayNotBeRead() {
    server.answer(403, "{\"message\": \"budgets are secret\"}");
    server.answer(exchange -> endOfTest.await());

    watch.start();

    await().until(() -> watch.state().forbidden());
  }

  @Test
  void startsFromWhatWasJustRead() {
    idleWatch(event("MODIFIED", "a", 4));

    watch.startFrom(Map.of("a", "a@3"), "3");

    awaitItems("a@4");
    assertThat(server.requests).singleElement().asString().contains("resourceVersion=3&");
  }

  @Test
  void leavesOutWhatIsOfNoInterestAndTellsGroupsApart() {
    watch =
        kube.watches()
            .of(
                Watch.Kind.<String>of(
                        Source.of("/things"),
                        object -> read(object).startsWith("x") ? null : read(object))
                    .groupedBy(fact -> fact.substring(0, 1)),
                Watch.Listener.waking(() -> told.add("woken")),
                SHORT);
    server.answer(200, list(5, "", object("a1", 1), object("x1", 2), object("b1", 3)));
    idleWatch(
        event("ADDED", "x2", 6),
        event("ADDED", "a2", 7),
        event("DELETED", "a1", 8),
        event("DELETED", "x1", 9),
        event("MODIFIED", "b1", 10));

    watch.start();

    awaitItems("a2@7", "b1@10");
    awaitTold("woken", "woken", "woken", "woken"); // the list, a2, a1 and b1
    assertThat(watch.state("a").items()).containsExactly("a2@7");
    assertThat(watch.state("b").items()).containsExactly("b1@10");
    assertThat(watch.state("c").items()).isEmpty();

    watch.forget("a");

    assertThat(watch.state("a").items()).isEmpty();
    assertThat(watch.state().items()).containsExactly("b1@10");
  }

  @Test
  void aKeyedListenerGetsTheKeyOfWhatChangedAndHearsOfLists() {
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(Source.of("/things"), WatchTest::read),
                Watch.Listener.keyed(
                    fact -> fact.substring(0, 1), told::add, () -> told.add("all")),
                SHORT);
    server.answer(200, list(5, "", object("a1", 1)));
    idleWatch(event("ADDED", "b1", 6), event("DELETED", "a1", 7));

    watch.start();

    awaitItems("b1@6");
    awaitTold("all", "b", "a");
  }

  @Test
  void listsAgainWhenAnEventComesOutOfOrder() {
    server.answer(200, list(5, "", object("a", 1), object("b", 2)));
    server.watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          TestingApiServer.writeLine(exchange, event("DELETED", "a", 8));
          TestingApiServer.writeLine(exchange, event("MODIFIED", "a", 7));
          endOfTest.await();
        });
    server.answer(200, list(9, "", object("b", 2)));
    idleWatch();

    watch.start();

    // what the watch reported before the malformed event equals the new list
    await()
        .untilAsserted(
            () ->
                assertThat(server.requests)
                    .filteredOn(request -> request.contains("limit="))
                    .hasSize(2));
    awaitItems("b@2");
  }

  @Test
  void takesAnEventThatComesTwice() {
    server.answer(200, list(5, "", object("a", 1)));
    idleWatch(event("ADDED", "b", 6), event("ADDED", "b", 6), event("DELETED", "a", 7));

    watch.start();

    awaitItems("b@6");
    assertThat(server.requests).filteredOn(request -> request.contains("limit=")).hasSize(1);
  }

  @Test
  void anObjectThatCannotBeReadHarmsNoOther() {
    List<String> unreadable = new CopyOnWriteArrayList<>();
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(Source.of("/things"), WatchTest::readUnlessBad),
                new Watch.Listener<>() {
                  @Override
                  public void changed(@Nullable String before, @Nullable String after) {}

                  @Override
                  public void refreshed() {}

                  @Override
                  public void unreadable(@Nullable String before) {
                    unreadable.add(String.valueOf(before));
                  }
                },
                SHORT);
    server.answer(200, list(5, "", object("a", 1), object("bad", 2), object("b", 3)));
    idleWatch(event("MODIFIED", "bad", 6), event("MODIFIED", "b", 7), event("ADDED", "c", 8));

    watch.start();

    awaitItems("a@1", "b@7", "c@8");
    assertThat(watch.state().unreadable().values()).containsExactly("not what was agreed on");
    assertThat(kube.health().degraded())
        .singleElement()
        .asString()
        .contains("/things", "cannot be read: not what was agreed on");
    assertThat(unreadable).containsExactly("null");
  }

  @Test
  void anObjectThatOverflowsTheStackIsSkippedLikeAnyOther() {
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(
                    Source.of("/things"),
                    object -> {
                      if (read(object).startsWith("deep")) {
                        throw new StackOverflowError();
                      }
                      return read(object);
                    }),
                Watch.Listener.waking(() -> {}),
                SHORT);
    server.answer(200, list(5, "", object("a", 1), object("deep", 2)));
    idleWatch(event("MODIFIED", "deep", 6), event("ADDED", "b", 7));

    watch.start();

    awaitItems("a@1", "b@7");
    assertThat(watch.state().unreadable().values()).containsExactly("StackOverflowError");
  }

  @Test
  void anObjectThatIsMendedIsReadAgain() {
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(
                    Source.of("/things"),
                    object -> {
                      if (read(object).endsWith("@6")) {
                        throw new IllegalArgumentException("six");
                      }
                      return read(object);
                    }),
                Watch.Listener.waking(() -> {}),
                SHORT);
    server.answer(200, list(5, "", object("a", 1)));
    CountDownLatch seen = new CountDownLatch(1);
    server.watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          TestingApiServer.writeLine(exchange, event("MODIFIED", "a", 6));
          seen.await();
          TestingApiServer.writeLine(exchange, event("MODIFIED", "a", 7));
          endOfTest.await();
        });

    watch.start();
    await().until(() -> !watch.state().unreadable().isEmpty());
    assertThat(watch.state().items()).isEmpty();
    seen.countDown();

    awaitItems("a@7");
    assertThat(watch.state().unreadable()).isEmpty();
  }

  private static String readUnlessBad(JsonNode object) {
    if (object.path("name").asText().equals("bad")) {
      throw new IllegalArgumentException("not what was agreed on");
    }
    return read(object);
  }

  @Test
  void severalListenersShareOneListAndOneWatch() {
    Watch<String> other =
        kube.watches()
            .of(
                Watch.Kind.of(
                    new Source("/things", "fieldSelector=a%3Db"),
                    object -> "other " + read(object)),
                Watch.Listener.waking(() -> {}),
                SHORT);
    CountDownLatch bothJoined = new CountDownLatch(1);
    server.answer(
        exchange -> {
          bothJoined.await();
          TestingApiServer.send(exchange, 200, list(5, "", object("a", 1)));
        });
    server.answer(200, list(6, "", object("a", 1), object("b", 6)));
    idleWatch(event("ADDED", "b", 6), event("MODIFIED", "b", 7));

    watch.start();
    await().until(() -> !server.requests.isEmpty());
    other.start();
    bothJoined.countDown();

    awaitItems("a@1", "b@7");
    await()
        .untilAsserted(
            () ->
                assertThat(other.state().items())
                    .containsExactlyInAnyOrder("other a@1", "other b@7"));
    assertThat(server.requests).filteredOn(request -> request.contains("watch=true")).hasSize(1);
    other.close();
    assertThat(watch.state().items()).hasSize(2);
  }

  @Test
  void anObjectThatCannotBeReadGetsOneEventPerReason() throws Exception {
    Resource things = Resource.namespaced("example.com", "v1", "things", "Thing");
    String bad =
        "{\"metadata\": {\"namespace\": \"ns\", \"name\": \"bad\", \"uid\": \"u\","
            + " \"resourceVersion\": \"%d\"}}";
    server.answer(200, list(5, "", bad.formatted(4)));
    // stays open: another list would take the answer to the Event
    idleWatch(
        "{\"type\": \"MODIFIED\", \"object\": " + bad.formatted(6) + "}",
        event("ADDED", "good", 7));
    server.answer(201, "{}");
    try (Watch<String> all =
        kube.watches()
            .of(
                Watch.Kind.<String>of(
                        Source.of("/things"),
                        object -> {
                          if (!object.has("name")) {
                            throw new IllegalArgumentException("spec.slaPeriod: too long");
                          }
                          return read(object);
                        })
                    .reportingUnreadable(things),
                Watch.Listener.waking(() -> {}),
                SHORT)) {
      all.start();

      await().until(() -> !all.state().items().isEmpty());
      await()
          .untilAsserted(
              () ->
                  assertThat(server.bodies.stream().filter(body -> !body.isEmpty()))
                      .singleElement()
                      .asString()
                      .contains("\"reason\":\"Unreadable\"", "spec.slaPeriod: too long")
                      .contains("\"kind\":\"Thing\"", "\"uid\":\"u\""));
    }
  }

  @Test
  void aGroupWithoutObjectsIsForgotten() {
    server.answer(200, list(5, ""));
    idleWatch(
        event("ADDED", "a", 6),
        event("DELETED", "a", 7),
        event("ADDED", "b", 8),
        event("DELETED", "b", 9),
        event("ADDED", "c", 10));
    try (Watch<String> grouped =
        kube.watches()
            .of(
                Watch.Kind.of(Source.of("/grouped"), WatchTest::read).groupedBy(name -> name),
                Watch.Listener.waking(() -> {}),
                SHORT)) {
      grouped.start();

      await().until(() -> grouped.state().items().equals(List.of("c@10")));
      assertThat(grouped.groups()).isEqualTo(1);
    }
  }
}

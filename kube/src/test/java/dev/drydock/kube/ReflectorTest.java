package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReflectorTest {
  private static final Backoff SHORT = new Backoff(Duration.ofMillis(2), Duration.ofMillis(10));

  private TestingApiServer server;
  private KubeHttp http;
  private Reflector<String> reflector;
  private final CountDownLatch endOfTest = new CountDownLatch(1);
  private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();

  @BeforeEach
  void start() throws IOException {
    server = new TestingApiServer();
    http = new KubeHttp(server.client(), RequestInterceptor.NONE, 500);
    reflector =
        new Reflector<>(
            http,
            Reflector.Kind.of(
                new Reflector.Source("/things", "fieldSelector=a%3Db"), ReflectorTest::read),
            new Reflector.Listener<>() {
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
    reflector.close();
    http.close();
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

  /** Answers a watch that stays open. */
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

  private void awaitItems(String... items) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              Reflector.State<String> state = reflector.state();
              assertThat(state.items()).containsExactlyInAnyOrder(items);
              assertThat(state.unsynced()).isEmpty();
            });
  }

  @Test
  void isUnsyncedBeforeTheFirstList() {
    assertThat(reflector.state())
        .isEqualTo(new Reflector.State<>(List.of(), Optional.of("not listed yet"), false));
  }

  @Test
  void listsAllPagesAndWatchesFromThere() {
    server.answer(200, list(5, "next", object("a", 1))).answer(200, list(6, "", object("b", 2)));
    idleWatch(event("MODIFIED", "a", 7), event("DELETED", "b", 8), event("ADDED", "c", 9));

    reflector.start();

    awaitItems("a@7", "c@9");
    assertThat(told).contains("a@1->a@7", "b@2->null", "null->c@9");
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

    reflector.start();

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

    reflector.start();

    awaitItems("a@55");
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

    reflector.start();

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

    reflector.start();
    Awaitility.await().until(() -> reflector.state().unsynced().isPresent());
    Awaitility.await()
        .until(() -> reflector.state().unsynced().equals(Optional.of("etcd is away")));
    repaired.countDown();

    awaitItems("a@8");
  }

  @Test
  void tellsWhatMayNotBeRead() {
    server.answer(403, "{\"message\": \"budgets are secret\"}");
    server.answer(exchange -> endOfTest.await());

    reflector.start();

    Awaitility.await().until(() -> reflector.state().forbidden());
  }

  @Test
  void startsFromWhatWasJustRead() {
    idleWatch(event("MODIFIED", "a", 4));

    reflector.startFrom(Map.of("a", "a@3"), "3");

    awaitItems("a@4");
    assertThat(server.requests).singleElement().asString().contains("resourceVersion=3&");
  }

  @Test
  void leavesOutWhatIsOfNoInterestAndTellsGroupsApart() {
    reflector =
        new Reflector<>(
            http,
            new Reflector.Kind<>(
                new Reflector.Source("/things", ""),
                object -> read(object).startsWith("x") ? null : read(object),
                fact -> fact.substring(0, 1)),
            new Reflector.Waker<String>(() -> told.add("woken")),
            SHORT);
    server.answer(200, list(5, "", object("a1", 1), object("x1", 2), object("b1", 3)));
    idleWatch(
        event("ADDED", "x2", 6),
        event("ADDED", "a2", 7),
        event("DELETED", "a1", 8),
        event("DELETED", "x1", 9));

    reflector.start();

    awaitItems("a2@7", "b1@3");
    assertThat(reflector.state("a").items()).containsExactly("a2@7");
    assertThat(reflector.state("b").items()).containsExactly("b1@3");
    assertThat(reflector.state("c").items()).isEmpty();

    reflector.forget("a");

    assertThat(reflector.state("a").items()).isEmpty();
    assertThat(reflector.state().items()).containsExactly("b1@3");
    assertThat(told).hasSize(3); // the list, a2 and a1
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

    reflector.start();

    awaitItems("b@2");
    assertThat(server.requests).filteredOn(request -> request.contains("limit=")).hasSize(2);
  }

  @Test
  void takesAnEventThatComesTwice() {
    server.answer(200, list(5, "", object("a", 1)));
    idleWatch(event("ADDED", "b", 6), event("ADDED", "b", 6), event("DELETED", "a", 7));

    reflector.start();

    awaitItems("b@6");
    assertThat(server.requests).filteredOn(request -> request.contains("limit=")).hasSize(1);
  }
}

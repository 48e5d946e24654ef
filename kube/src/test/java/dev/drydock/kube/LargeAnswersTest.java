package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much is collected and kept does not depend on what tenants write. */
class LargeAnswersTest {
  private static final int MOST = 20_000;
  private static final int SMALL = 2_000;
  private static final Source PODS = Resource.PODS.all();

  private final Semaphore places = new Semaphore(1);
  private TestingApiServer server;
  private KubeHttp http;

  @BeforeEach
  void start() throws IOException {
    server = new TestingApiServer();
    http =
        new KubeHttp(
            new HttpTransport(
                server.client(), TimeSource.REAL, new AnswerBody.Limits(MOST, SMALL, places)),
            RequestInterceptor.NONE,
            500,
            KubeHttp.ANSWER_WITHIN);
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
  }

  private static String list(String token, int size, String... names) {
    List<String> items = new ArrayList<>();
    for (String name : names) {
      items.add(
          "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {\"text\": \"%s\"}}"
              .formatted(name, "x".repeat(size)));
    }
    return "{\"items\": [%s], \"metadata\": {\"continue\": \"%s\", \"resourceVersion\": \"7\"}}"
        .formatted(String.join(",", items), token);
  }

  private List<String> names() {
    return http.readAll("pods", PODS, pod -> text(pod.path("metadata"), "name"));
  }

  @Test
  void aPageThatIsTooLargeIsRequestedAgainWithFewerObjects() {
    server.answer(200, list("", 15_000, "a", "b", "c", "d"));
    server.answer(200, list("", 15_000, "a", "b", "c", "d"));
    server.answer(200, list("2", 100, "a"));
    server.answer(200, list("3", 15_000, "b", "c"));
    server.answer(200, list("3", 15_000, "b"));
    server.answer(200, list("4", 100, "c"));
    server.answer(200, list("", 100, "d"));

    assertThat(names()).containsExactly("a", "b", "c", "d");
    assertThat(server.requests)
        .extracting(request -> request.replaceAll(".*\\?(\\S+).*", "$1"))
        .containsExactly(
            "limit=500",
            "limit=125",
            "limit=31",
            "limit=62&continue=2",
            "limit=15&continue=2",
            "limit=30&continue=3",
            "limit=60&continue=4");
  }

  @Test
  void anObjectThatIsTooLargeAloneFailsTheListInsteadOfBeingLeftOut() {
    for (int i = 0; i < 6; i++) {
      server.answer(200, list("", MOST, "a"));
    }

    assertThatThrownBy(this::names)
        .isInstanceOf(ApiFailure.class)
        .hasMessage("pods: the answer is larger than 20000 bytes");
    assertThat(server.requests).hasSize(5).last().asString().contains("limit=1 ");
    assertThat(places.availablePermits()).isOne();
  }

  @Test
  void anAnswerToAWriteThatIsTooLargeIsNoAnswer() {
    server.answer(200, list("", MOST, "a"));

    KubeAnswer answer = http.send(ApiCall.mergePatch("/x", "{}"));

    assertThat(answer.unanswered()).isTrue();
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void largeAnswersAreCollectedOneAfterTheOther() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    for (int i = 0; i < 2; i++) {
      server.answer(200, list("", 5_000, "large"));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<KubeAnswer> first =
          threads.submit(
              () ->
                  http.list(
                      PODS,
                      _ -> {
                        read.countDown();
                        try {
                          goOn.await();
                        } catch (InterruptedException stopped) {
                          Thread.currentThread().interrupt();
                        }
                      }));
      read.await();
      Future<List<String>> second = threads.submit(this::names);
      await().atMost(Duration.ofMinutes(2)).until(places::hasQueuedThreads);

      server.answer(200, list("", 10, "small"));
      assertThat(names()).containsExactly("small");

      server.answer(200, list("", 5_000, "again"));
      goOn.countDown();
      assertThat(first.get().ok()).isTrue();
      assertThat(second.get()).containsExactly("again");
    }
    assertThat(places.availablePermits()).isOne();
  }

  @Test
  void aWatchWhoseLineIsTooLongEndsInsteadOfBeingCollected() throws InterruptedException {
    LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    server.watch(
        "{\"type\": \"ADDED\", \"object\": {}}",
        "{\"type\": \"ADDED\", \"object\": {\"a\": \"%s\"}}".formatted("x".repeat(MOST)),
        "{\"type\": \"ADDED\", \"object\": {}}");

    var _ =
        http.watch(
            "/x?watch=true",
            KubeHttp.ANSWER_WITHIN,
            new Transport.Events() {
              @Override
              public boolean event(JsonNode event) {
                return events.add(event.toString());
              }

              @Override
              public void ended(KubeAnswer answer, Optional<String> broken) {
                events.add("ended");
              }
            });

    assertThat(events.take()).contains("ADDED");
    assertThat(events.take()).isEqualTo("{}");
    assertThat(events.take()).isEqualTo("ended");
  }

  @Test
  void whatNobodyReadsIsNotKept() throws IOException {
    String large = "x".repeat(Json.LONGEST_ANNOTATION + 1);
    String annotations =
        "{\"kubectl.kubernetes.io/last-applied-configuration\": \"{}\", \"evil\": \"%s\", \"a\": \"b\"}"
            .formatted(large);

    JsonNode read =
        Json.read(
            """
            {"items": [
              {"metadata": {"namespace": "team-a", "managedFields": [{}], "annotations": %s}},
              {"metadata": {"name": "node-1", "annotations": %s}}]}"""
                .formatted(annotations, annotations));

    assertThat(read.path("items").path(0).path("metadata"))
        .hasToString("{\"namespace\":\"team-a\",\"annotations\":{\"a\":\"b\"}}");
    assertThat(ApiObject.of(read.path("items").path(1)).annotations())
        .isEqualTo(Map.of("evil", large, "a", "b"));
  }

  @Test
  void ofAnObjectThatIsTooLargeIdentityDeletionFinalizersAndOwnLabelsAreKept() throws IOException {
    String metadata =
        """
        {"namespace": "ns", "name": "a", "uid": "u", "resourceVersion": "7", "finalizers": ["x/y"],
         "deletionTimestamp": "2026-01-01T00:00:00Z", "labels": {"a/b": "c", "o/b": "c"},
         "annotations": {%s "o/x": "y"}}"""
            .formatted(
                IntStream.range(0, 6)
                    .mapToObj(i -> "\"t/%d\": \"%s\",".formatted(i, "x".repeat(12_000)))
                    .collect(Collectors.joining()));
    JsonNode annotated = Json.read("{\"metadata\": %s, \"spec\": {\"a\": 1}}".formatted(metadata));
    JsonNode both =
        Json.read(
            "{\"metadata\": %s, \"spec\": {\"a\": \"%s\"}, \"status\": {\"b\": 1}}"
                .formatted(metadata, "x".repeat(KeptSize.MOST)));

    ApiObject kept = ApiObject.bounded(annotated, List.of("o/"));
    ApiObject reduced = ApiObject.bounded(both, List.of("o/"));

    for (ApiObject object : List.of(kept, reduced)) {
      assertThat(List.of(object.namespace(), object.name(), object.uid(), object.version()))
          .containsExactly("ns", "a", "u", "7");
      assertThat(object.deleted()).isTrue();
      assertThat(object.finalizers()).containsExactly("x/y");
      assertThat(object.labels()).isEqualTo(Map.of("o/b", "c"));
      assertThat(object.annotations()).isEqualTo(Map.of("o/x", "y"));
    }
    assertThat(kept.problem()).isEmpty();
    assertThat(kept.complete().spec()).hasSize(1);
    assertThat(reduced.problem().orElse("")).matches("too large: 6\\d KiB, at most 64 KiB");
    assertThat(reduced.spec()).isEmpty();
    assertThat(reduced.status()).hasSize(1);
    assertThatThrownBy(reduced::complete).hasMessageContaining("at most 64 KiB");
    assertThat(annotated.at("/metadata/annotations")).as("shared with other readers").hasSize(7);
  }

  /** A part of them would not do: whoever removes one writes the others again. */
  @Test
  void anObjectWithMoreFinalizersThanAreKeptIsUnreadable() throws IOException {
    JsonNode object =
        Json.read(
            "{\"metadata\": {\"name\": \"a\", \"finalizers\": [%s\"x/y\"]}}"
                .formatted("\"x/%s\",".formatted("y".repeat(60)).repeat(1_000)));

    assertThatThrownBy(() -> ApiObject.bounded(object, List.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("at most 64 KiB of finalizers");
  }

  @Test
  void aSpecOfManySmallValuesIsTooLargeToo() throws IOException {
    JsonNode many = Json.read("{\"spec\": [%s1]}".formatted("1,".repeat(KeptSize.MOST / 64)));
    JsonNode fine = Json.read("{\"spec\": {\"reason\": \"%s\"}}".formatted("x".repeat(60_000)));

    assertThat(ApiObject.bounded(many, List.of()).problem()).isPresent();
    assertThat(ApiObject.bounded(fine, List.of()).problem()).isEmpty();
  }

  @Test
  void namesAndMessagesOfOthersAreBounded() throws IOException {
    JsonNode object =
        Json.read("{\"long\": \"%s\", \"name\": \"node-1\"}".formatted("x".repeat(100_000)));

    assertThat(Fields.name(object, "long")).isEmpty();
    assertThat(Fields.name(object, "name")).isEqualTo("node-1");
    assertThat(Fields.start(object, "long")).hasSizeLessThan(2_100);
  }
}

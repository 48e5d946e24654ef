package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubeHttpTest {
  private TestingApiServer server;
  private KubeHttp http;

  @BeforeEach
  void start() throws IOException {
    server = new TestingApiServer();
    http = new KubeHttp(server.client(), RequestInterceptor.NONE, 500);
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
  }

  @Test
  void sendsWithTheClientsCredentialsAndReadsTheAnswer() {
    server.answer(200, "{\"kind\": \"Node\", \"metadata\": {\"name\": \"n\"}}");

    KubeAnswer answer = http.send(ApiCall.mergePatch("/api/v1/nodes/n", "{\"a\": 1}"));

    assertThat(answer.ok()).isTrue();
    assertThat(answer.body().path("metadata").path("name").asText()).isEqualTo("n");
    assertThat(server.requests)
        .containsExactly("PATCH /api/v1/nodes/n Bearer secret application/merge-patch+json");
    assertThat(server.bodies).containsExactly("{\"a\": 1}");
    assertThat(http.requests()).containsEntry(Verb.PATCH, 1L);
  }

  @Test
  void readsAnObjectWithAVeryLongNameAndANumberBeyond64Bits() {
    String name = "k".repeat(60_000);
    server.answer(
        200,
        """
        {"kind": "PodList", "metadata": {}, "items": [
          {"metadata": {"name": "odd"}, "spec": {"%s": "v", "n": 99999999999999999999}},
          {"metadata": {"name": "good"}}]}"""
            .formatted(name));
    List<String> names = new ArrayList<>();

    KubeAnswer answer =
        http.list(
            Resource.PODS.all(), pod -> names.add(pod.path("metadata").path("name").asText()));

    assertThat(answer.ok()).isTrue();
    assertThat(names).containsExactly("odd", "good");
  }

  @Test
  void doesNotTakeAnAnswerThatCannotBeParsedForAnEmptyList() {
    server.answer(200, "{\"kind\": \"PodList\", \"items\": [{\"a\": }]}");
    server.answer(200, "<html>please log in</html>");
    server.answer(200, "{\"kind\": \"Status\"}");

    assertThat(http.list(Resource.PODS.all(), _ -> {}))
        .returns(true, KubeAnswer::unanswered)
        .extracting(KubeAnswer::message)
        .asString()
        .startsWith("the answer cannot be parsed: ");
    assertThat(http.list(Resource.PODS.all(), _ -> {}).unanswered()).isTrue();
    assertThat(http.list(Resource.PODS.all(), _ -> {}).message())
        .isEqualTo("the answer is not a list");
  }

  @Test
  void givesPlainTextAsTheMessage() {
    server.answer(
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/plain");
          TestingApiServer.send(exchange, 200, "line of a log");
        });

    assertThat(http.send(ApiCall.get("/api/v1/namespaces/a/pods/b/log")))
        .returns(200, KubeAnswer::code)
        .returns("line of a log", KubeAnswer::message);
  }

  @Test
  void takesARefusalApartAndDoesNotRetryIt() {
    server.answer(
        exchange -> {
          exchange.getResponseHeaders().add("Retry-After", "7");
          TestingApiServer.send(
              exchange,
              429,
              """
              {"kind": "Status", "status": "Failure", "message": "no", "details": {
                "kind": "pods", "retryAfterSeconds": 10,
                "causes": [{"reason": "DisruptionBudget", "message": "needs 2"}]}}""");
        });

    KubeAnswer answer = http.send(ApiCall.create("/eviction", "{}"));

    assertThat(answer.code()).isEqualTo(429);
    assertThat(answer.message()).isEqualTo("no");
    assertThat(answer.retryAfter()).contains(Duration.ofSeconds(7));
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void noServerAsksForMoreThanHalfAMinute() {
    server.answer(
        exchange -> {
          exchange.getResponseHeaders().add("Retry-After", "999999");
          TestingApiServer.send(exchange, 429, "{}");
        });
    server.answer(429, "{\"details\": {\"retryAfterSeconds\": 9223372036854775807}}");

    assertThat(http.send(ApiCall.get("/x")).retryAfter()).contains(Duration.ofSeconds(30));
    assertThat(http.send(ApiCall.get("/x")).retryAfter()).contains(Duration.ofSeconds(30));
  }

  @Test
  void doesNotRetryAFaultOfTheServer() {
    server.answer(503, "busy").answer(200, "{}");

    KubeAnswer answer = http.send(ApiCall.get("/x"));

    assertThat(answer.code()).isEqualTo(503);
    assertThat(answer.message()).isEqualTo("busy");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void aBrokenConnectionIsNoAnswer() {
    server.answer(exchange -> exchange.close());

    KubeAnswer answer = http.send(ApiCall.create("/x", "{}"));

    assertThat(answer.unanswered()).isTrue();
    assertThat(answer.message()).startsWith("no answer: ");
    assertThatThrownBy(() -> answer.orThrow("pod x"))
        .isInstanceOf(ApiFailure.class)
        .hasMessageStartingWith("pod x: no answer");
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    String address = server.client().getMasterUrl().toString().replaceAll("/+$", "");
    server.endListening();

    assertThat(http.send(ApiCall.get("/x")).message())
        .isEqualTo("no answer: %s refuses connections".formatted(address));
  }

  @Test
  void otherRequestsDoNotQueueBehindEvictions() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    int many = 80;
    for (int i = 0; i < many; i++) {
      server.answer(
          exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
              end.await();
            }
            TestingApiServer.send(exchange, 200, "{}");
          });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < many; i++) {
        var _ =
            threads.submit(
                () -> http.send(ApiCall.create("/api/v1/namespaces/a/pods/b/eviction", "{}")));
      }
      await().atMost(Duration.ofMinutes(2)).until(() -> server.requests.size() >= 45);

      KubeAnswer release =
          http.send(ApiCall.mergePatch("/api/v1/nodes/n", "{}"), Duration.ofMinutes(2));

      assertThat(release.ok()).isTrue();
      end.countDown();
    }
  }

  @Test
  void sendsNothingOnceClosed() {
    http.close();

    assertThat(http.send(ApiCall.get("/x")).unanswered()).isTrue();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void warningsThatNameObjectsDoNotFillTheMemory() {
    try (HttpTransport transport = new HttpTransport(server.client(), TimeSource.REAL)) {
      for (int i = 0; i < HttpTransport.MOST_WARNINGS + 10; i++) {
        String warning = "299 - \"object " + i + " is deprecated\"";
        server.answer(
            exchange -> {
              exchange.getResponseHeaders().add("Warning", warning);
              TestingApiServer.send(exchange, 200, "{}");
            });
        var _ = transport.send(ApiCall.get("/things"), KubeHttp.ANSWER_WITHIN);
      }

      assertThat(transport.warningsKept()).isBetween(1, HttpTransport.MOST_WARNINGS);
    }
  }
}

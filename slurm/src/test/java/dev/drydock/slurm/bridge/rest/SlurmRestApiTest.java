package dev.drydock.slurm.bridge.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.drydock.serve.tls.ClientTls;
import dev.drydock.slurm.TlsRelay;
import dev.drydock.slurm.bridge.SlurmFailure;
import dev.drydock.slurm.bridge.decide.SlurmNode;
import dev.drydock.slurm.bridge.decide.SlurmView;
import dev.drydock.testkit.LoopbackServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of slurmrestd that a real one gives rarely, or not on demand. */
class SlurmRestApiTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String NODES =
      """
      {"nodes":[{"name":"n1","state":["IDLE","DRAIN"],"reason":"disk"},
                {"name":"n2","state":["MIXED"],"reason":""}],"errors":[],"warnings":[]}
      """;

  private final LoopbackServer server = new LoopbackServer();
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  @TempDir private Path folder = Path.of("");
  private Path token = Path.of("");

  @BeforeEach
  void writeToken() throws IOException {
    token = Files.writeString(folder.resolve("token"), "SLURM_JWT=first\n");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private SlurmRestApi api(Optional<String> version) {
    return new SlurmRestApi(
        new SlurmRestApi.Options(server.uri("/"), "root", token, version, Optional.empty()),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private void answer(String path, int code, String body) {
    server.handle(
        path,
        exchange -> {
          asked.add(line(exchange));
          LoopbackServer.answer(exchange, code, body);
        });
  }

  private static String line(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    return "%s %s %s %s %s"
        .formatted(
            exchange.getRequestMethod(),
            exchange.getRequestURI(),
            exchange.getRequestHeaders().getFirst("X-SLURM-USER-NAME"),
            exchange.getRequestHeaders().getFirst("X-SLURM-USER-TOKEN"),
            body)
        .strip();
  }

  private static void fails(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(SlurmFailure.class).hasMessageContaining(message);
  }

  private SlurmRestApi api(TlsRelay relay, ClientTls tls)
      throws IOException, GeneralSecurityException {
    return new SlurmRestApi(
        new SlurmRestApi.Options(
            relay.url(), "root", token, Optional.empty(), Optional.of(tls.context())),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @Test
  void overTlsOnlyWhoeverTheAuthorityKnowsIsAsked() throws IOException, GeneralSecurityException {
    answer("/slurm/v0.0.42/nodes", 200, NODES.replace("MIXED", "IDLE"));
    try (TlsRelay relay = new TlsRelay(server.uri("/"), folder);
        TlsRelay other = new TlsRelay(server.uri("/"), folder);
        SlurmRestApi trusting = api(relay, trusting(relay));
        SlurmRestApi mistrusting = api(relay, trusting(other));
        SlurmRestApi unconfigured = api(relay, ClientTls.DEFAULT)) {
      fails(mistrusting::look, "slurmrestd at %s does not answer: ".formatted(relay.url()));
      fails(unconfigured::look, "unable to find valid certification path");
      assertThat(asked).as("nobody else sees the token").isEmpty();

      assertThat(trusting.look().nodes()).containsOnlyKeys("n1", "n2");
      assertThat(asked).containsExactly("GET /slurm/v0.0.42/nodes root first");
    }
  }

  @Test
  void anAnswerThatDoesNotEndIsNone() {
    CountDownLatch over = new CountDownLatch(1);
    server.handle(
        "/slurm/v0.0.42/nodes",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("{\"nodes\":[".getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
    try (SlurmRestApi stalled =
        new SlurmRestApi(
            new SlurmRestApi.Options(
                server.uri("/"), "root", token, Optional.empty(), Optional.empty()),
            Clock.fixed(NOW, ZoneOffset.UTC),
            Duration.ofMillis(200))) {
      fails(stalled::look, "its answer did not end within PT0.2S");
    } finally {
      over.countDown();
    }
  }

  private static ClientTls trusting(TlsRelay relay) {
    return new ClientTls(Optional.empty(), Optional.empty(), Optional.of(relay.authority()));
  }

  @Test
  void readsNodesAndTheEndsOfRunningJobs() {
    answer("/slurm/v0.0.42/nodes", 200, NODES);
    answer(
        "/slurm/v0.0.42/jobs",
        200,
        """
        {"jobs":[
          {"job_id":1,"job_state":["RUNNING"],"nodes":"n[1-2]","time_limit":{"set":true,"infinite":false,"number":5},
           "end_time":{"set":true,"infinite":false,"number":1767225600}},
          {"job_id":2,"job_state":["RUNNING"],"nodes":"n2","time_limit":{"set":true,"infinite":false,"number":5},
           "end_time":{"set":true,"infinite":false,"number":1767225700}},
          {"job_id":3,"job_state":["RUNNING"],"nodes":"n3","time_limit":{"set":false,"infinite":true,"number":0},
           "end_time":{"set":true,"infinite":false,"number":1798761600}},
          {"job_id":4,"job_state":["COMPLETED"],"nodes":"n4","end_time":{"set":true,"infinite":false,"number":1767225700}},
          {"job_id":5,"job_state":["SUSPENDED"],"nodes":"n1","end_time":{"set":true,"infinite":false,"number":1767225700}},
          {"job_id":6,"job_state":["PENDING"],"nodes":"","end_time":{"set":true,"infinite":false,"number":0}}
        ],"errors":[]}
        """);
    try (SlurmRestApi api = api(Optional.empty())) {
      SlurmView.Seen seen = api.look();

      assertThat(seen.nodes())
          .isEqualTo(
              Map.of(
                  "n1", new SlurmNode("n1", List.of("IDLE", "DRAIN"), "disk"),
                  "n2", new SlurmNode("n2", List.of("MIXED"), "")));
      assertThat(seen.jobsEnd()).isEqualTo(Map.of("n2", Instant.ofEpochSecond(1767225700)));
      assertThat(asked)
          .containsExactly(
              "GET /slurm/v0.0.42/nodes root first", "GET /slurm/v0.0.42/jobs root first");
    }
  }

  @Test
  void aListOfNodesThatCannotBeReadCostsOnlyEstimates() {
    answer("/slurm/v0.0.42/nodes", 200, NODES);
    answer(
        "/slurm/v0.0.42/jobs",
        200,
        "{\"jobs\":[{\"job_state\":[\"RUNNING\"],\"nodes\":\"n[1-\"}],\"errors\":[]}");
    try (SlurmRestApi api = api(Optional.empty())) {
      assertThat(api.look().jobsEnd()).isEmpty();
    }
  }

  @Test
  void theTokenIsReadForEachRequest() throws IOException {
    answer("/slurm/v0.0.42/node/n1", 200, "{\"errors\":[]}");
    try (SlurmRestApi api = api(Optional.of("v0.0.42"))) {
      api.drain("n1", "a \"quoted\" reason");
      Files.writeString(token, "second");
      api.resume("n1");
    }
    assertThat(asked)
        .containsExactly(
            "POST /slurm/v0.0.42/node/n1 root first {\"reason\":\"a \\\"quoted\\\" reason\",\"state\":[\"DRAIN\"]}",
            "POST /slurm/v0.0.42/node/n1 root second {\"state\":[\"RESUME\"]}");
  }

  @Test
  void anErrorInAnAnswerThatSaysOkIsAnError() {
    String error =
        """
        {"errors":[{"description":"Failure to update node n1","error_number":2018,"error":"Invalid node name specified"}]}
        """;
    answer("/slurm/v0.0.42/node/n1", 200, error);
    answer(
        "/slurm/v0.0.42/nodes",
        200,
        NODES.replace("\"errors\":[]", error.strip().substring(1, error.strip().length() - 1)));
    try (SlurmRestApi api = api(Optional.empty())) {
      fails(() -> api.drain("n1", "x"), "Failure to update node n1: Invalid node name specified");
      fails(api::look, "Invalid node name specified");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "", "{\"nodes\":null}", "<html>", "{\"nodes\":{}}"})
  void anAnswerThatSaysNothingIsNoAnswer(String body) {
    answer("/slurm/v0.0.42/nodes", 200, body);
    try (SlurmRestApi api = api(Optional.empty())) {
      fails(api::look, "slurmrestd");
    }
  }

  @ParameterizedTest
  @CsvSource({"401, ''", "511, 1007", "500, 1007", "200, 1007"})
  void anExpiredTokenIsNamed(int code, String number) throws IOException {
    String claims =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("{\"exp\":1767225599}".getBytes(StandardCharsets.UTF_8));
    Files.writeString(token, "e30." + claims + ".sig");
    answer(
        "/slurm/v0.0.42/nodes",
        code,
        number.isEmpty()
            ? "Authentication failure"
            : "{\"nodes\":[],\"errors\":[{\"error_number\":%s,\"error\":\"Protocol authentication error\"}]}"
                .formatted(number));
    try (SlurmRestApi api = api(Optional.empty())) {
      fails(api::look, "the token in %s expired at 2025-12-31T23:59:59Z".formatted(token));
      Files.writeString(token, "no-jwt");
      fails(api::look, "Slurm does not accept the token in " + token);
    }
  }

  @Test
  void aMissingOrMalformedTokenFileIsNamed() throws IOException {
    try (SlurmRestApi api = api(Optional.empty())) {
      Files.writeString(token, " \n");
      fails(api::look, token + " does not contain a token");
      Files.writeString(token, "two words");
      fails(api::look, token + " does not contain a token");
      Files.delete(token);
      fails(api::look, "cannot read the token file " + token);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void takesTheNewestVersionThatIsServed() {
    answer("/slurm/v0.0.40/nodes", 200, "{\"nodes\":[],\"errors\":[]}");
    try (SlurmRestApi api = api(Optional.empty());
        SlurmRestApi fixed = api(Optional.of("v0.0.41"))) {
      assertThat(api.look().nodes()).isEmpty();
      assertThat(api.look().nodes()).isEmpty();
      assertThat(asked).hasSize(2);
      fails(fixed::look, "does not serve v0.0.41");
    }
  }

  @Test
  void whateverElseIsAnsweredIsSaid() {
    answer("/slurm/v0.0.42/nodes", 503, "busy");
    try (SlurmRestApi api = api(Optional.empty())) {
      fails(api::look, "answered 503");
    }
    try (SlurmRestApi api = api(Optional.empty())) {
      server.close();
      fails(api::look, "does not answer");
    }
  }
}

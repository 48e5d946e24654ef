package dev.drydock.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.drydock.app.DrydockTest.Outcome;
import dev.drydock.testkit.LoopbackServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that answers as an API server would; rights on a real one are tested there. */
class CheckCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private final LoopbackServer server = new LoopbackServer();
  private volatile Predicate<JsonNode> allows = attributes -> true;

  @BeforeEach
  void startServer() {
    server.handle(
        "/version",
        exchange ->
            answer(exchange, 200, "{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.4\"}"));
    server.handle("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", this::review);
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Test
  void everyRightIsListedAndNoneMissing() throws IOException {
    Outcome outcome = check();

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .startsWith("Server " + url() + "/ runs Kubernetes v1.36.4.")
        .contains("ALLOWED   VERB", "yes       create   pods/eviction")
        .doesNotContain("no  ");
  }

  @Test
  void missingRightsAreListedAndFailTheCheck() throws IOException {
    allows = attributes -> !"eviction".equals(attributes.path("subresource").asText());

    Outcome outcome = check();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).contains("no        create   pods/eviction");
    assertThat(outcome.err())
        .isEqualTo(
            "error: 1 of 13 permissions are missing; ask the cluster's admin, or use another --context"
                + System.lineSeparator());
  }

  @Test
  void aNamespaceIsAskedAboutForWhatLivesInOne() throws IOException {
    allows =
        attributes ->
            "nodes".equals(attributes.path("resource").asText())
                ? attributes.path("namespace").asText("").isEmpty()
                : "ops".equals(attributes.path("namespace").asText());

    assertThat(check("--namespace", "ops").exitCode()).isZero();
    assertThat(check().exitCode()).isEqualTo(1);
  }

  @Test
  void programsGetTheWholeAnswer() throws IOException {
    JsonNode report = JSON.readTree(check("-o", "json").out());

    assertThat(report.path("serverVersion").asText()).isEqualTo("v1.36.4");
    assertThat(report.path("context").asText()).isEqualTo("here");
    assertThat(report.path("namespaces").asText()).isEqualTo("all");
    assertThat(report.path("rights")).hasSize(13).allMatch(r -> r.path("allowed").asBoolean());
  }

  @Test
  void aServerThatKnowsUsNotIsOneLine() throws IOException {
    server.handle("/version", exchange -> answer(exchange, 401, "{}"));

    Outcome outcome = check();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("error: not logged in").hasLineCount(1);
  }

  /** In a process of its own, because libraries log to the real standard error. */
  @Test
  void aServerThatIsNotThereIsOneLineAndNoLibraryTalks() throws Exception {
    try (Socket silent = new Socket()) {
      // bound and not listening: it refuses, and nobody else gets its port
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertRefused("https://127.0.0.1:" + silent.getLocalPort());
    }
  }

  private void assertRefused(String closed) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder program =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Drydock.class.getName(),
            "check",
            "--kubeconfig",
            kubeconfig(closed).toString());
    program.environment().remove("DRYDOCK_DEBUG");
    Process process = program.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(out).isEmptyFile();
    assertThat(Files.readAllLines(err))
        .singleElement()
        .asString()
        .startsWith("error: cannot reach the API server: connection refused");
  }

  private Outcome check(String... flags) throws IOException {
    String[] arguments = new String[flags.length + 3];
    arguments[0] = "--kubeconfig";
    arguments[1] = kubeconfig(url()).toString();
    arguments[2] = "check";
    System.arraycopy(flags, 0, arguments, 3, flags.length);
    return DrydockTest.run(arguments);
  }

  private String url() {
    return server.uri("").toString();
  }

  private Path kubeconfig(String url) throws IOException {
    return Files.writeString(
        folder.resolve("config"),
        """
        kind: Config
        current-context: here
        contexts: [{name: here, context: {cluster: here, user: me}}]
        clusters: [{name: here, cluster: {server: '%s'}}]
        users: [{name: me, user: {token: secret}}]
        """
            .formatted(url));
  }

  private void review(HttpExchange exchange) throws IOException {
    JsonNode attributes =
        JSON.readTree(exchange.getRequestBody()).path("spec").path("resourceAttributes");
    answer(
        exchange,
        201,
        """
        {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
         "spec": {}, "status": {"allowed": %s}}
        """
            .formatted(allows.test(attributes)));
  }

  private static void answer(HttpExchange exchange, int code, String body) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    LoopbackServer.answer(exchange, code, body);
  }
}

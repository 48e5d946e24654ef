package dev.drydock.slurm.bridge.rest;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.FirstLine;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.slurm.bridge.SlurmApi;
import dev.drydock.slurm.bridge.SlurmFailure;
import dev.drydock.slurm.bridge.decide.SlurmNode;
import dev.drydock.slurm.bridge.decide.SlurmView;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Slurm through slurmrestd. It has no watch, so whoever wants to know more has to ask again. */
public final class SlurmRestApi implements SlurmApi, AutoCloseable {
  /** The versions whose nodes and jobs are known to look alike, newest first. */
  public static final List<String> VERSIONS = List.of("v0.0.42", "v0.0.41", "v0.0.40");

  /** slurmrestd itself tries for nine seconds to reach a controller that is down. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** Slurm's number for a refused token, which comes with several HTTP codes. */
  private static final int NOT_AUTHENTICATED = 1007;

  /** Fields of jobs and nodes that are large and not needed. */
  private static final Set<String> SKIPPED =
      Set.of("job_resources", "environment", "gres_detail", "power", "external_sensors", "meta");

  /** Without what is skipped, ten thousands of jobs are less. */
  private static final long LARGEST_ANSWER = 1L << 28;

  private final Options options;
  private final Clock clock;
  private final Duration bodyWithin;
  private final HttpClient client;

  /** The version that was served last. */
  private volatile String version;

  /**
   * Where slurmrestd is, and as whom it is asked.
   *
   * @param version empty for the newest that it serves
   * @param tls for an https address
   */
  public record Options(
      URI url, String user, Path tokenFile, Optional<String> version, Optional<SSLContext> tls) {}

  public SlurmRestApi(Options options, Clock clock) {
    this(options, clock, PATIENCE);
  }

  SlurmRestApi(Options options, Clock clock, Duration bodyWithin) {
    this.options = options;
    this.clock = clock;
    this.bodyWithin = bodyWithin;
    version = options.version().orElseGet(VERSIONS::getFirst);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER);
    options.tls().ifPresent(builder::sslContext);
    client = builder.build();
  }

  @Override
  public SlurmView.Seen look() {
    Map<String, SlurmNode> nodes = new HashMap<>();
    for (JsonNode node : list(ask("nodes", Optional.empty()), "nodes")) {
      String name = text(node, "name");
      nodes.put(
          name, new SlurmNode(name, Fields.list(node.path("state")), Fields.start(node, "reason")));
    }
    boolean busy = nodes.values().stream().anyMatch(SlurmNode::isBusy);
    return new SlurmView.Seen(
        nodes, busy ? JobEnds.of(list(ask("jobs", Optional.empty()), "jobs")) : Map.of());
  }

  /** An answer without its list says nothing, not that the list is empty. */
  private static JsonNode list(JsonNode answer, String field) {
    JsonNode list = answer.path(field);
    if (!list.isArray()) {
      throw new SlurmFailure("slurmrestd answered without a list of " + field);
    }
    return list;
  }

  @Override
  public void drain(String node, String reason) {
    ObjectNode body = Json.object().put("reason", reason);
    body.putArray("state").add("DRAIN");
    update(node, body);
  }

  @Override
  public void resume(String node) {
    ObjectNode body = Json.object();
    body.putArray("state").add("RESUME");
    update(node, body);
  }

  private void update(String node, ObjectNode body) {
    String encoded = URLEncoder.encode(node, StandardCharsets.UTF_8).replace("+", "%20");
    var _ = ask("node/" + encoded, Optional.of(body.toString()));
  }

  /** Asks in the newest version that is served, unless one was given. */
  private JsonNode ask(String path, Optional<String> body) {
    Answer answer = send(version, path, body);
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND && options.version().isEmpty()) {
      for (String other : VERSIONS) {
        if (!other.equals(version) && answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
          answer = send(other, path, body);
          version = answer.code() == HttpURLConnection.HTTP_NOT_FOUND ? version : other;
        }
      }
    }
    return accepted(answer);
  }

  /**
   * What slurmrestd answered.
   *
   * @param token that was shown
   */
  private record Answer(int code, JsonNode body, String token) {}

  private Answer send(String in, String path, Optional<String> body) {
    String token = new SlurmToken(options.tokenFile()).read();
    URI uri = URI.create("%s/slurm/%s/%s".formatted(base(), in, path));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .header("X-SLURM-USER-NAME", options.user())
            .header("X-SLURM-USER-TOKEN", token);
    body.ifPresent(
        text ->
            request
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(text)));
    try {
      HttpResponse<InputStream> answer =
          client.send(
              request.build(),
              HttpResponse.BodyHandlers.limiting(
                  HttpResponse.BodyHandlers.ofInputStream(), LARGEST_ANSWER));
      return new Answer(answer.statusCode(), inTime(answer), token);
    } catch (IOException unanswered) {
      throw new SlurmFailure(
          "slurmrestd at %s does not answer: %s".formatted(base(), FirstLine.of(unanswered)));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new SlurmFailure("interrupted");
    }
  }

  /** The time limit of the request does not cover the body, which may never end. */
  private JsonNode inTime(HttpResponse<InputStream> answer) throws IOException {
    CompletableFuture<Void> end = new CompletableFuture<>();
    try (InputStream stream = answer.body()) {
      var _ =
          end.orTimeout(bodyWithin.toMillis(), TimeUnit.MILLISECONDS)
              .exceptionally(_ -> giveUp(stream));
      return body(answer.statusCode(), stream);
    } catch (IOException unread) {
      throw end.isCompletedExceptionally()
          ? new IOException("its answer did not end within " + bodyWithin, unread)
          : unread;
    } finally {
      end.complete(null);
    }
  }

  /** Whoever reads it is told that it has ended. */
  private static @Nullable Void giveUp(InputStream stream) {
    try {
      stream.close();
    } catch (IOException ended) {
      // That was wanted.
    }
    return null;
  }

  /** An error may come without a body that can be read. */
  private static JsonNode body(int code, InputStream stream) throws IOException {
    if (code == HttpURLConnection.HTTP_OK) {
      return Json.read(stream, SKIPPED);
    }
    byte[] text = stream.readNBytes(1 << 16);
    try {
      return Json.read(text, text.length);
    } catch (IOException noJson) {
      return Json.object();
    }
  }

  private String base() {
    return options.url().toString().replaceFirst("/+$", "");
  }

  /** Errors also come in answers that say 200. */
  private JsonNode accepted(Answer answer) {
    JsonNode errors = answer.body().path("errors");
    boolean refused = answer.code() == HttpURLConnection.HTTP_UNAUTHORIZED;
    for (JsonNode error : errors) {
      refused |= error.path("error_number").asInt(0) == NOT_AUTHENTICATED;
    }
    if (refused) {
      throw new SlurmFailure(
          new SlurmToken(options.tokenFile()).problem(answer.token(), clock.instant()));
    }
    if (!errors.isEmpty()) {
      JsonNode last = errors.get(errors.size() - 1);
      throw new SlurmFailure(
          "Slurm: %s: %s"
              .formatted(Fields.start(last, "description"), Fields.start(last, "error")));
    }
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw new SlurmFailure(
          "slurmrestd at %s does not serve %s"
              .formatted(
                  base(),
                  options.version().orElseGet(() -> "any of " + String.join(", ", VERSIONS))));
    }
    if (answer.code() != HttpURLConnection.HTTP_OK || !answer.body().isObject()) {
      throw new SlurmFailure("slurmrestd at %s answered %d".formatted(base(), answer.code()));
    }
    return answer.body();
  }

  @Override
  public void close() {
    client.close();
  }
}

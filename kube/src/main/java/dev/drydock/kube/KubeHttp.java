package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall.Verb;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests to the API server over the client library's connection, with its authentication and
 * without its retries: whether something is tried again is decided, not done on the quiet. Blocks;
 * safe for use by many threads.
 */
public final class KubeHttp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KubeHttp.class);

  /** An eviction that meets others on one budget is retried inside the server for ten seconds. */
  public static final Duration ANSWER_WITHIN = Duration.ofSeconds(40);

  private final Connections connections;
  private final String server;
  private final RequestInterceptor hook;
  private final int pageSize;
  private final Duration answerWithin;
  private final Map<Verb, LongAdder> requests = new ConcurrentHashMap<>();
  private final Set<Watching> watches = ConcurrentHashMap.newKeySet();
  private final Set<String> warnings = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public KubeHttp(KubernetesClient client, RequestInterceptor hook, int pageSize) {
    this(client, hook, pageSize, ANSWER_WITHIN);
  }

  /**
   * @param answerWithin after that nobody knows what became of a request
   */
  public KubeHttp(
      KubernetesClient client, RequestInterceptor hook, int pageSize, Duration answerWithin) {
    this.answerWithin = answerWithin;
    this.connections = new Connections(client);
    this.server = client.getMasterUrl().toString().replaceAll("/+$", "");
    this.hook = hook;
    this.pageSize = pageSize;
  }

  /** How many requests were made, by verb. */
  public Map<Verb, Long> requests() {
    Map<Verb, Long> counts = new EnumMap<>(Verb.class);
    requests.forEach((verb, count) -> counts.put(verb, count.sum()));
    return counts;
  }

  private void count(Verb verb) {
    requests.computeIfAbsent(verb, first -> new LongAdder()).increment();
  }

  public KubeAnswer send(ApiCall call) {
    hook.before(call);
    KubeAnswer answer = closed ? closedAnswer() : exchange(call);
    hook.after(call, answer.code());
    return answer;
  }

  /**
   * Hands over the objects of a list as its pages come. The answer is the one to the last page, or
   * to the first that failed.
   */
  public KubeAnswer list(Reflector.Source source, Consumer<JsonNode> objects) {
    return list(source, pageSize, Integer.MAX_VALUE, objects);
  }

  /** As {@link #list}, but no more than so many; then the answer has a {@link #continuation}. */
  public KubeAnswer list(Reflector.Source source, int most, Consumer<JsonNode> objects) {
    return list(source, pageSize == 0 ? most : Math.min(pageSize, most), most, objects);
  }

  private KubeAnswer list(Reflector.Source source, int page, int most, Consumer<JsonNode> objects) {
    String token = "";
    long count = 0;
    KubeAnswer answer;
    do {
      String more = token.isEmpty() ? "" : "&continue=" + ApiCall.encode(token);
      answer = send(ApiCall.list(source.with("limit=" + page + more)));
      answer.body().path("items").forEach(objects);
      count += answer.body().path("items").size();
      token = continuation(answer);
    } while (answer.ok() && !token.isEmpty() && count < most);
    return answer;
  }

  /** Empty if nothing is left to be listed. */
  public static String continuation(KubeAnswer answer) {
    return answer.body().path("metadata").path("continue").asText("");
  }

  private KubeAnswer exchange(ApiCall call) {
    Connections.StreamSlot lane;
    try {
      lane = connections.enterRequest();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return KubeAnswer.none("interrupted");
    }
    try {
      return exchange(call, lane.http());
    } finally {
      lane.leave();
    }
  }

  private KubeAnswer exchange(ApiCall call, HttpClient http) {
    count(call.verb());
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      HttpResponse<AsyncBody> response =
          await(
              http.consumeBytes(
                  request(http, call, answerWithin),
                  (chunks, body) -> {
                    chunks.forEach(chunk -> append(text, chunk));
                    body.consume();
                  }));
      response.body().consume();
      await(response.body().done());
      warn(response.headers("Warning"));
      return new KubeAnswer(response.code(), parse(text), retryAfter(response));
    } catch (ExecutionException failed) {
      return KubeAnswer.none(describe(failed));
    } catch (TimeoutException late) {
      return KubeAnswer.none("no answer within " + answerWithin.toSeconds() + " s");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return KubeAnswer.none("interrupted");
    }
  }

  /** Lines of a watch as they come; returning false ends it. */
  interface LineReader {
    boolean read(byte[] line, int length);
  }

  /** A watch that has ended: what the server said first, and how it ended. */
  record WatchEnd(KubeAnswer answer, Optional<String> broken) {}

  /**
   * Watches until the server, the reader or the deadline ends it, or this is closed. A network that
   * silently lost the connection shows only in the deadline.
   */
  WatchEnd watch(String path, Duration deadline, Watching watching, LineReader reader) {
    ApiCall call = ApiCall.watch(path);
    hook.before(call);
    watches.add(watching);
    WatchEnd end;
    try {
      end =
          closed
              ? new WatchEnd(closedAnswer(), Optional.empty())
              : stream(call, deadline, watching, reader);
    } finally {
      watches.remove(watching);
    }
    hook.after(call, end.answer().code());
    return end;
  }

  private WatchEnd stream(ApiCall call, Duration deadline, Watching watching, LineReader reader) {
    count(call.verb());
    LineSplitter lines = new LineSplitter(reader);
    Connections.StreamSlot lane = connections.enterWatch();
    try {
      CompletableFuture<HttpResponse<AsyncBody>> sent =
          lane.http().consumeBytes(request(lane.http(), call, Duration.ZERO), lines);
      HttpResponse<AsyncBody> response = await(sent);
      lines.isWatch(HttpResponse.isSuccessful(response.code()));
      watching.opened(response.body());
      response.body().consume();
      Optional<String> broken = awaitEnd(response.body(), deadline);
      KubeAnswer answer =
          new KubeAnswer(response.code(), parse(lines.rest()), retryAfter(response));
      return new WatchEnd(answer, broken);
    } catch (ExecutionException failed) {
      return new WatchEnd(KubeAnswer.none(describe(failed)), Optional.empty());
    } catch (TimeoutException late) {
      return new WatchEnd(KubeAnswer.none("no answer in time"), Optional.empty());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return new WatchEnd(KubeAnswer.none("interrupted"), Optional.empty());
    } finally {
      lane.leave();
    }
  }

  private static Optional<String> awaitEnd(AsyncBody body, Duration deadline)
      throws InterruptedException {
    try {
      body.done().get(deadline.toMillis(), TimeUnit.MILLISECONDS);
      return Optional.empty();
    } catch (ExecutionException failed) {
      return Optional.of(describe(failed));
    } catch (CancellationException ended) {
      return Optional.of("ended here");
    } catch (TimeoutException silent) {
      return Optional.of("silent for too long");
    } finally {
      body.cancel();
    }
  }

  private <T> T await(CompletableFuture<T> future)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return future.get(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException gaveUp) {
      future.cancel(true);
      throw gaveUp;
    }
  }

  private HttpRequest request(HttpClient http, ApiCall call, Duration timeout) {
    HttpRequest.Builder request =
        http.newHttpRequestBuilder()
            .uri(server + call.path())
            .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .header("Accept", "application/json");
    if (call.verb() == Verb.WATCH) {
      request.forStreaming();
    }
    return request.method(call.verb().method(), call.contentType(), call.body()).build();
  }

  private static KubeAnswer closedAnswer() {
    return KubeAnswer.none("closed");
  }

  private static JsonNode parse(ByteArrayOutputStream text) {
    try {
      return Json.read(text.toByteArray(), text.size());
    } catch (IOException notJson) {
      // A proxy's error page, or plain words; the code still says what happened.
      return Json.object()
          .put("message", text.toString(java.nio.charset.StandardCharsets.UTF_8).strip());
    }
  }

  private static Optional<Duration> retryAfter(HttpResponse<?> response) {
    // The API server always answers with seconds; a date, which a proxy may send, is left aside.
    return response.headers("Retry-After").stream()
        .filter(value -> value.matches("\\d{1,6}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)))
        .findFirst();
  }

  private void warn(List<String> headers) {
    for (String warning : headers) {
      if (warnings.add(warning)) {
        LOG.warn("the API server warns: {}", warning);
      }
    }
  }

  private static String describe(ExecutionException failed) {
    Throwable failure = failed.getCause() == null ? failed : failed.getCause();
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return "no answer: " + (message == null || message.isBlank() ? name : name + ": " + message);
  }

  static void append(ByteArrayOutputStream text, ByteBuffer chunk) {
    byte[] bytes = new byte[chunk.remaining()];
    chunk.get(bytes);
    text.writeBytes(bytes);
  }

  /** Ends all watches; requests from now on are not sent. */
  @Override
  public void close() {
    closed = true;
    watches.forEach(Watching::end);
    connections.close();
  }

  /** A handle to end one watch from outside, before or after it has begun. */
  static final class Watching {
    private volatile boolean ended;
    private volatile Optional<AsyncBody> body = Optional.empty();

    private void opened(AsyncBody opened) {
      body = Optional.of(opened);
      if (ended) {
        opened.cancel();
      }
    }

    void end() {
      ended = true;
      body.ifPresent(AsyncBody::cancel);
    }
  }

  /** Cuts chunks into lines; takes the next chunk when the last is read. */
  private static final class LineSplitter implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final LineReader reader;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean watch;

    LineSplitter(LineReader reader) {
      this.reader = reader;
    }

    void isWatch(boolean value) {
      watch = value;
    }

    ByteArrayOutputStream rest() {
      return watch ? new ByteArrayOutputStream() : line;
    }

    @Override
    public void consume(List<ByteBuffer> chunks, AsyncBody body) {
      for (ByteBuffer chunk : chunks) {
        if (!read(chunk)) {
          body.cancel();
          return;
        }
      }
      body.consume();
    }

    private boolean read(ByteBuffer chunk) {
      if (!watch) {
        append(line, chunk);
        return true;
      }
      byte[] bytes = new byte[chunk.remaining()];
      chunk.get(bytes);
      int from = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          line.write(bytes, from, i - from);
          from = i + 1;
          boolean more = reader.read(line.toByteArray(), line.size());
          line.reset();
          if (!more) {
            return false;
          }
        }
      }
      line.write(bytes, from, bytes.length - from);
      return true;
    }
  }
}

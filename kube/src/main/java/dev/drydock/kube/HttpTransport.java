package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.time.TimeSource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests over the client library's connections, with its authentication and without its
 * retries: callers decide about retries.
 */
public final class HttpTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(HttpTransport.class);

  /** How many are remembered, so that each is logged once; then it starts over. */
  static final int MOST_WARNINGS = 500;

  private final Connections connections;
  private final String server;
  private final TimeSource time;
  private final AnswerBody.Limits limits;
  private final Set<String> warnings = ConcurrentHashMap.newKeySet();

  public HttpTransport(KubernetesClient client, TimeSource time) {
    this(client, time, AnswerBody.Limits.standard());
  }

  HttpTransport(KubernetesClient client, TimeSource time, AnswerBody.Limits limits) {
    this(client.getConfiguration(), client.getHttpClient(), time, limits);
  }

  /** Without a client of the library, which loads a class for every kind that it knows. */
  public HttpTransport(Config config, HttpClient http, TimeSource time) {
    this(config, http, time, AnswerBody.Limits.standard());
  }

  private HttpTransport(Config config, HttpClient http, TimeSource time, AnswerBody.Limits limits) {
    this.limits = limits;
    this.connections = new Connections(config, http);
    this.server = config.getMasterUrl().replaceAll("/+$", "");
    this.time = time;
  }

  @Override
  public KubeAnswer send(ApiCall call, Duration answerWithin) {
    return exchange(call, answerWithin, null);
  }

  @Override
  public KubeAnswer list(ApiCall call, Duration answerWithin, Consumer<JsonNode> items) {
    return exchange(call, answerWithin, items);
  }

  private KubeAnswer exchange(
      ApiCall call, Duration answerWithin, @Nullable Consumer<JsonNode> items) {
    boolean repeatable = call.verb() == Verb.GET || call.verb() == Verb.LIST;
    try (AnswerBody body = new AnswerBody(limits, repeatable)) {
      HttpResponse<AsyncBody> response = collect(call, answerWithin, body);
      if (body.isCrowdedOut()) {
        body.awaitPlace();
        response = collect(call, answerWithin, body);
      }
      if (body.isTooLarge()) {
        return KubeAnswer.tooLarge(body.mostInWords());
      }
      warn(response.headers("Warning"));
      return answer(response, body::stream, items);
    } catch (ExecutionException failed) {
      return KubeAnswer.none(describe(failed));
    } catch (TimeoutException late) {
      return KubeAnswer.none("no answer within " + answerWithin.toSeconds() + " s");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return KubeAnswer.none("interrupted");
    }
  }

  private HttpResponse<AsyncBody> collect(ApiCall call, Duration answerWithin, AnswerBody body)
      throws ExecutionException, TimeoutException, InterruptedException {
    Connections.StreamSlot slot = connections.enterRequest(call);
    try {
      if (ControlLoop.isEnded()) {
        throw new ExecutionException(new IOException("its loop was closed while it waited"));
      }
      HttpResponse<AsyncBody> response =
          await(
              slot.http()
                  .consumeBytes(
                      request(slot.http(), call, answerWithin),
                      (chunks, rest) -> {
                        if (chunks.stream().allMatch(body::add)) {
                          rest.consume();
                        } else {
                          rest.cancel();
                        }
                      }),
              answerWithin);
      response.body().consume();
      try {
        await(response.body().done(), answerWithin);
      } catch (CancellationException givenUp) {
        if (!body.isTooLarge() && !body.isCrowdedOut()) {
          throw new ExecutionException(givenUp);
        }
      }
      return response;
    } finally {
      slot.leave();
    }
  }

  private static <T> T await(CompletableFuture<T> future, Duration most)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return future.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException gaveUp) {
      future.cancel(true);
      throw gaveUp;
    }
  }

  @Override
  public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
    Connections.StreamSlot slot = connections.enterWatch();
    OpenWatch watch = new OpenWatch(slot, new LineSplitter(events, limits.most()));
    watch.open(request(slot.http(), call, Duration.ZERO), answerWithin, lasts, events);
    return watch;
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

  /**
   * A successful answer that cannot be parsed is no answer: an object or a list that nobody could
   * read must not look like one that is empty. Only logs are plain text.
   */
  private static KubeAnswer answer(
      HttpResponse<?> response, Supplier<InputStream> text, @Nullable Consumer<JsonNode> items) {
    JsonNode body;
    try {
      body = Json.read(text.get(), response.isSuccessful() ? items : null);
    } catch (IOException notJson) {
      boolean plain =
          response.headers("Content-Type").stream().anyMatch(type -> type.startsWith("text/plain"));
      if (response.isSuccessful() && !plain) {
        return KubeAnswer.none("the answer cannot be parsed: " + firstLine(notJson));
      }
      // A proxy's error page, or plain text; the code still says what happened.
      body = Json.object().put("message", plainText(text.get()));
    }
    return new KubeAnswer(response.code(), body, retryAfter(response));
  }

  private static String plainText(InputStream text) {
    try {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException inMemory) {
      throw new UncheckedIOException(inMemory);
    }
  }

  /** The parser's message goes on with the place in the text, and may quote the text. */
  private static String firstLine(IOException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("not JSON");
  }

  private static Optional<Duration> retryAfter(HttpResponse<?> response) {
    // The API server always answers in seconds; a date, which a proxy may send, is ignored.
    return response.headers("Retry-After").stream()
        .filter(value -> value.matches("\\d{1,6}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)))
        .findFirst();
  }

  private void warn(List<String> headers) {
    for (String warning : headers) {
      if (shouldLog(warning)) {
        LOG.warn("the API server warns: {}", warning);
      }
    }
  }

  /** Some warnings name objects, so there is no end of different ones. */
  private boolean shouldLog(String warning) {
    if (warnings.size() >= MOST_WARNINGS) {
      warnings.clear();
    }
    return warnings.add(warning);
  }

  int warningsKept() {
    return warnings.size();
  }

  private String describe(Throwable failed) {
    Throwable failure =
        (failed instanceof ExecutionException || failed instanceof CompletionException)
                && failed.getCause() != null
            ? failed.getCause()
            : failed;
    String message = failure.getMessage();
    if (failure instanceof ConnectException && (message == null || message.isBlank())) {
      // The JDK reports an unknown host as a failed connect; the reason is in the causes.
      boolean unknown = false;
      for (Throwable each = failure; each != null; each = each.getCause()) {
        unknown |= each instanceof UnresolvedAddressException;
      }
      return "no answer: " + server + (unknown ? " has an unknown host" : " refuses connections");
    }
    String name = failure.getClass().getSimpleName();
    return "no answer: " + (message == null || message.isBlank() ? name : name + ": " + message);
  }

  @Override
  public void close() {
    connections.close();
  }

  /** A watch from its request to its end, which is reported once. */
  private final class OpenWatch implements Stream {
    private final Connections.StreamSlot slot;
    private final LineSplitter lines;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private @Nullable CompletableFuture<HttpResponse<AsyncBody>> sent;
    private @Nullable AsyncBody body;
    private TimeSource.Timer deadline = TimeSource.Timer.NONE;
    private String endedBecause = "";

    OpenWatch(Connections.StreamSlot slot, LineSplitter lines) {
      this.slot = slot;
      this.lines = lines;
    }

    void open(HttpRequest request, Duration answerWithin, Duration lasts, Events events) {
      CompletableFuture<HttpResponse<AsyncBody>> asked = slot.http().consumeBytes(request, lines);
      synchronized (this) {
        sent = asked;
        deadline = time.schedule(answerWithin, () -> end("no answer in time"));
      }
      var _ =
          asked.whenCompleteAsync(
              (response, failed) -> answered(response, failed, lasts, events), time::execute);
    }

    private void answered(
        @Nullable HttpResponse<AsyncBody> response,
        @Nullable Throwable failed,
        Duration lasts,
        Events events) {
      if (response == null) {
        String why = failed == null ? "no answer" : describe(failed);
        finish(KubeAnswer.none(endedBecause().orElse(why)), Optional.empty(), events);
        return;
      }
      lines.isWatch(HttpResponse.isSuccessful(response.code()));
      AsyncBody opened = response.body();
      synchronized (this) {
        deadline.cancel();
        body = opened;
        deadline = time.schedule(lasts, () -> end("no data for too long"));
        if (!endedBecause.isEmpty()) {
          opened.cancel();
        }
      }
      var _ =
          opened
              .done()
              .whenCompleteAsync(
                  (_, broken) -> {
                    // The rest of a watch that broke off in an event says nothing.
                    KubeAnswer answer =
                        response.isSuccessful()
                            ? new KubeAnswer(response.code(), Json.object(), Optional.empty())
                            : answer(response, lines::rest, null);
                    finish(answer, reason(broken), events);
                  },
                  time::execute);
      opened.consume();
    }

    private Optional<String> reason(@Nullable Throwable broken) {
      return endedBecause()
          .or(
              () ->
                  broken == null
                      ? Optional.empty()
                      : Optional.of(
                          broken instanceof CancellationException
                              ? "closed by the client"
                              : describe(broken)));
    }

    private synchronized Optional<String> endedBecause() {
      return endedBecause.isEmpty() ? Optional.empty() : Optional.of(endedBecause);
    }

    private void finish(KubeAnswer answer, Optional<String> broken, Events events) {
      if (over.complete(null)) {
        synchronized (this) {
          deadline.cancel();
        }
        slot.leave();
        events.ended(answer, broken);
      }
    }

    @Override
    public void end() {
      end("closed by the client");
    }

    private synchronized void end(String why) {
      if (endedBecause.isEmpty()) {
        endedBecause = why;
      }
      if (body != null) {
        body.cancel();
      } else if (sent != null) {
        sent.cancel(true);
      }
    }
  }

  /**
   * Splits chunks into lines, one event each; requests the next chunk when the last one is
   * consumed.
   */
  private static final class LineSplitter implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final Events events;
    private final int longest;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean watch;

    /**
     * @param longest line; a longer one ends the watch
     */
    LineSplitter(Events events, int longest) {
      this.events = events;
      this.longest = longest;
    }

    void isWatch(boolean value) {
      watch = value;
    }

    /** The error body that the server sent instead of events. */
    InputStream rest() {
      return new ByteArrayInputStream(watch ? new byte[0] : line.toByteArray());
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
      byte[] bytes = new byte[chunk.remaining()];
      chunk.get(bytes);
      if (!watch) {
        return append(bytes, 0, bytes.length);
      }
      int from = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          boolean fits = append(bytes, from, i);
          from = i + 1;
          boolean more = fits ? event(line.toByteArray()) : cutOff();
          line.reset();
          if (!more) {
            return false;
          }
        }
      }
      return append(bytes, from, bytes.length) || cutOff();
    }

    private boolean append(byte[] bytes, int from, int to) {
      if (to - from > longest - line.size()) {
        return false;
      }
      line.write(bytes, from, to - from);
      return true;
    }

    /** An event without a type: the stream cannot be continued after it. */
    private boolean cutOff() {
      var _ = events.event(Json.object());
      return false;
    }

    private boolean event(byte[] text) {
      try {
        return events.event(Json.read(text, text.length));
      } catch (IOException malformed) {
        return cutOff();
      }
    }
  }
}

package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.notify.Channel.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Posts to a receiver. Messages contain only the host of its address. */
final class HttpSender implements AutoCloseable {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private final Clock clock;
  private @Nullable HttpClient client;

  HttpSender(Clock clock) {
    this.clock = clock;
  }

  Outcome post(URI to, byte[] body, Map<String, String> headers) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to)
            .timeout(ANSWER_WITHIN)
            .header("User-Agent", "drydock")
            .POST(BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    try {
      HttpResponse<InputStream> answer =
          client().send(request.build(), BodyHandlers.ofInputStream());
      // The status is the answer. The time limit does not cover the body, which may never end.
      answer.body().close();
      Optional<Duration> retryAfter =
          ReceiverAnswers.retryAfter(answer.headers().firstValue("Retry-After"), clock.instant());
      return ReceiverAnswers.outcome(answer.statusCode(), to.getHost(), retryAfter);
    } catch (IOException failed) {
      return Outcome.Later.because(
          "no answer from %s: %s".formatted(to.getHost(), describe(failed)));
    }
  }

  /** What went wrong with a certificate helps, and cannot hold the address. */
  private static String describe(IOException failed) {
    String name = failed.getClass().getSimpleName();
    return failed instanceof SSLException ? name + ": " + failed.getMessage() : name;
  }

  private synchronized HttpClient client() {
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(CONNECT_WITHIN)
              .followRedirects(HttpClient.Redirect.NEVER)
              .build();
    }
    return client;
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
    }
  }
}

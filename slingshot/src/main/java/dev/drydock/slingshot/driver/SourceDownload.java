package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.FailureReason;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Downloads sources and modules. A file appears under its name only when it is complete. */
final class SourceDownload {
  private static final Duration CONNECT = Duration.ofSeconds(20);
  private static final Duration ANSWER = Duration.ofMinutes(2);

  /** The client's own time ends with the headers of an answer; its content may take this long. */
  private static final Duration CONTENT = Duration.ofMinutes(30);

  /** More than any release has: an answer without end would fill the node's disk. */
  private static final long MOST_BYTES = 1L << 30;

  private static final long MOST_TEXT = 1L << 16;

  private final Duration content;
  private final long mostBytes;

  private @Nullable HttpClient client;

  SourceDownload() {
    this(CONTENT, MOST_BYTES);
  }

  SourceDownload(Duration content, long mostBytes) {
    this.content = content;
    this.mostBytes = mostBytes;
  }

  /** Made when it is needed: most agents never download anything. */
  private synchronized HttpClient client() {
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .connectTimeout(CONNECT)
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build();
    }
    return client;
  }

  /** Fetches what has to be there. */
  void fetch(String url, Path file) {
    if (!find(url, file)) {
      throw new InstallFailure(FailureReason.DownloadFailed, "%s: HTTP 404".formatted(url));
    }
  }

  /** Whether there is such a file; it is fetched if so. */
  boolean find(String url, Path file) {
    Path unfinished = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.createDirectories(file.resolveSibling("."));
      Files.deleteIfExists(unfinished);
      HttpResponse<Path> answer =
          send(url, HttpResponse.BodyHandlers.ofFile(unfinished), mostBytes);
      if (answer.statusCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
        throw new InstallFailure(
            FailureReason.DownloadFailed, "%s: HTTP %d".formatted(url, answer.statusCode()));
      }
      OptionalLong announced = answer.headers().firstValueAsLong("Content-Length");
      long size = Files.size(unfinished);
      if (announced.isPresent() && announced.getAsLong() != size) {
        throw new InstallFailure(
            FailureReason.DownloadFailed,
            "%s: %d bytes were announced, and %d came".formatted(url, announced.getAsLong(), size));
      }
      DurableFiles.replace(unfinished, file);
      return true;
    } catch (IOException | IllegalArgumentException failed) {
      throw failed(url, failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw failed(url, stopped);
    } finally {
      DurableFiles.deleteQuietly(unfinished);
    }
  }

  /** A small text; empty if there is none. */
  Optional<String> text(String url) {
    try {
      HttpResponse<byte[]> answer = send(url, HttpResponse.BodyHandlers.ofByteArray(), MOST_TEXT);
      return switch (answer.statusCode()) {
        case HttpURLConnection.HTTP_OK ->
            Optional.of(new String(answer.body(), StandardCharsets.UTF_8));
        case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
        default ->
            throw new InstallFailure(
                FailureReason.DownloadFailed, "%s: HTTP %d".formatted(url, answer.statusCode()));
      };
    } catch (IOException | IllegalArgumentException failed) {
      throw failed(url, failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw failed(url, stopped);
    }
  }

  private <T> HttpResponse<T> send(String url, HttpResponse.BodyHandler<T> handler, long most)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer =
        client().sendAsync(request(url), HttpResponse.BodyHandlers.limiting(handler, most));
    try {
      return answer.get(content.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new IOException("the answer did not end within " + content, late);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException cause
          ? cause
          : new IOException(failed.getCause());
    } finally {
      answer.cancel(true); // ends the connection, if it has not ended
    }
  }

  private static HttpRequest request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER).GET().build();
  }

  private static InstallFailure failed(String url, Exception cause) {
    String message = cause.getMessage();
    return new InstallFailure(
        FailureReason.DownloadFailed,
        "%s: %s".formatted(url, message == null ? cause.getClass().getSimpleName() : message));
  }
}

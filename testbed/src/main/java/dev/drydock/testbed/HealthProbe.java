package dev.drydock.testbed;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** Queries the health endpoints of a cluster's servers. */
final class HealthProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http;

  HealthProbe(SSLContext trust) {
    this.http = HttpClient.newBuilder().sslContext(trust).connectTimeout(TIMEOUT).build();
  }

  boolean isOk(String url) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      // a server that is still starting refuses or drops connections
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while asking " + url, e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}

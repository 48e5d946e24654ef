package dev.drydock.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * The process's HTTP/2 connections. An API server accepts a hundred concurrent streams per
 * connection, every open watch takes one, and the transport fails streams beyond the limit. So
 * requests wait for a free stream, and watches get further connections. Leases have streams of
 * their own: whoever leads must not lose the lead because its own requests wait in a queue. A drain
 * of a few nodes uses only the first one.
 */
final class Connections implements AutoCloseable {
  private static final int REQUESTS = 60;

  /** The rest of the places is for others, above all for those that give nodes back. */
  private static final int REMOVALS_OF_PODS = 45;

  private static final int LEASES = 5;
  private static final int WATCHES_BESIDE_REQUESTS = 30;
  private static final int WATCHES_ALONE = 90;

  private final Config config;
  private final RequestConfig withoutRetries;
  private final StreamSlot requests;
  private final StreamSlot leases;
  private final Semaphore removals = new Semaphore(REMOVALS_OF_PODS);
  private final List<StreamSlot> watches = new ArrayList<>();
  private final List<HttpClient> more = new ArrayList<>();

  /** A stream on a connection; close it after use. */
  record StreamSlot(HttpClient http, Semaphore places, Optional<Semaphore> also) {
    StreamSlot(HttpClient http, Semaphore places) {
      this(http, places, Optional.empty());
    }

    void leave() {
      places.release();
      also.ifPresent(Semaphore::release);
    }
  }

  /**
   * @param config what further connections are made of
   * @param http the first connection, which stays the caller's
   */
  Connections(Config config, HttpClient http) {
    this.config = config;
    withoutRetries =
        new RequestConfigBuilder(config.getRequestConfig()).withRequestRetryBackoffLimit(0).build();
    HttpClient first = withoutRetries(http);
    requests = new StreamSlot(first, new Semaphore(REQUESTS, true));
    leases = new StreamSlot(first, new Semaphore(LEASES, true));
    watches.add(new StreamSlot(first, new Semaphore(WATCHES_BESIDE_REQUESTS)));
  }

  private HttpClient withoutRetries(HttpClient http) {
    return http.newBuilder().tag(withoutRetries).build();
  }

  StreamSlot enterRequest(ApiCall call) throws InterruptedException {
    if (!call.removesPod()) {
      StreamSlot slot = call.isAboutLease() ? leases : requests;
      slot.places().acquire();
      return slot;
    }
    removals.acquire();
    try {
      requests.places().acquire();
    } catch (InterruptedException stopped) {
      removals.release();
      throw stopped;
    }
    return new StreamSlot(requests.http(), requests.places(), Optional.of(removals));
  }

  synchronized StreamSlot enterWatch() {
    for (StreamSlot slot : watches) {
      if (slot.places().tryAcquire()) {
        return slot;
      }
    }
    HttpClient another = HttpClientUtils.getHttpClientFactory().newBuilder(config).build();
    more.add(another);
    StreamSlot slot = new StreamSlot(withoutRetries(another), new Semaphore(WATCHES_ALONE - 1));
    watches.add(slot);
    return slot;
  }

  /** The first connection is not closed. */
  @Override
  public synchronized void close() {
    more.forEach(HttpClient::close);
  }
}

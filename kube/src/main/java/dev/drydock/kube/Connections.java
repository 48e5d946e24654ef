package dev.drydock.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The process's HTTP/2 connections. An API server accepts a hundred concurrent streams per
 * connection, every open watch takes one, and the transport fails streams beyond the limit. So
 * requests wait for a free stream, and watches get further connections. A drain of a few nodes uses
 * only the client's own connection.
 */
final class Connections implements AutoCloseable {
  private static final int REQUESTS = 60;
  private static final int WATCHES_BESIDE_REQUESTS = 30;
  private static final int WATCHES_ALONE = 90;

  private final KubernetesClient client;
  private final RequestConfig config;
  private final StreamSlot requests;
  private final List<StreamSlot> watches = new ArrayList<>();
  private final List<KubernetesClient> more = new ArrayList<>();

  /** A stream on a connection; close it after use. */
  record StreamSlot(HttpClient http, Semaphore places) {
    void leave() {
      places.release();
    }
  }

  Connections(KubernetesClient client) {
    this.client = client;
    config =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestRetryBackoffLimit(0)
            .build();
    HttpClient first = withoutRetries(client);
    requests = new StreamSlot(first, new Semaphore(REQUESTS));
    watches.add(new StreamSlot(first, new Semaphore(WATCHES_BESIDE_REQUESTS)));
  }

  private HttpClient withoutRetries(KubernetesClient of) {
    return of.getHttpClient().newBuilder().tag(config).build();
  }

  StreamSlot enterRequest() throws InterruptedException {
    requests.places().acquire();
    return requests;
  }

  synchronized StreamSlot enterWatch() {
    for (StreamSlot slot : watches) {
      if (slot.places().tryAcquire()) {
        return slot;
      }
    }
    KubernetesClient another =
        new KubernetesClientBuilder().withConfig(client.getConfiguration()).build();
    more.add(another);
    StreamSlot slot = new StreamSlot(withoutRetries(another), new Semaphore(WATCHES_ALONE - 1));
    watches.add(slot);
    return slot;
  }

  /** The client's own connection is not closed. */
  @Override
  public synchronized void close() {
    more.forEach(KubernetesClient::close);
  }
}

package dev.drydock.sim.kubelet;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All writes of the kubelets after registration, one request each. Answers are not parsed: the
 * watch delivers the result.
 */
final class ApiWrites implements AutoCloseable {
  /** The result of a write. */
  enum Outcome {
    DONE,
    /** The object has changed since the decision; the watch delivers the newer version. */
    OUTDATED,
    GONE
  }

  private static final Logger log = LoggerFactory.getLogger(ApiWrites.class);

  private static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String JSON = "application/json";
  // The smallest answer that the API server gives.
  private static final String METADATA_ONLY =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  private final String server;
  private final HttpClient http;
  private final KubernetesSerialization json;
  private final AtomicBoolean failing = new AtomicBoolean();
  private volatile boolean closed;

  ApiWrites(KubernetesClient client) {
    this.http = client.getHttpClient();
    this.json = client.getKubernetesSerialization();
    String url = client.getMasterUrl().toString();
    this.server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** Applies only to this pod, by UID, and this version of it. */
  Outcome patchPodStatus(PodView.Identity pod, PodStatus status) throws IOException {
    var guard = Map.of("uid", pod.uid(), "resourceVersion", pod.resourceVersion());
    return patchStatus(podPath(pod), guard, status);
  }

  /** Applies only to this node, by UID; its version changes constantly and does not matter. */
  Outcome patchNodeStatus(NodeView.Identity node, NodeStatus status) throws IOException {
    return patchStatus("/api/v1/nodes/" + node.name(), Map.of("uid", node.uid()), status);
  }

  private Outcome patchStatus(String path, Map<String, String> guard, Object status)
      throws IOException {
    String patch = json.asJson(Map.of("metadata", guard, "status", status));
    return send("PATCH", path + "/status", STRATEGIC_PATCH, patch);
  }

  Outcome removePod(PodView.Identity pod) throws IOException {
    String options =
        """
        {"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"preconditions":{"uid":"%s"}}"""
            .formatted(pod.uid());
    return send("DELETE", podPath(pod), JSON, options);
  }

  /** A heartbeat: a single patch that does not need to read the Lease, except the first time. */
  void renewLease(NodeView.Identity node, Instant now) throws IOException {
    String leases =
        "/apis/coordination.k8s.io/v1/namespaces/" + NodeObjects.LEASE_NAMESPACE + "/leases";
    String path = leases + "/" + node.name();
    Lease lease = NodeObjects.lease(node, now);
    String renewal = json.asJson(Map.of("spec", lease.getSpec()));
    if (send("PATCH", path, MERGE_PATCH, renewal) == Outcome.GONE) {
      send("POST", leases, JSON, json.asJson(lease));
    }
  }

  /** A Warning Event on an object; each one is written only once, by any process. */
  void warn(ObjectReference about, String problem, Instant now) throws IOException {
    String namespace = about.getNamespace() == null ? "default" : about.getNamespace();
    Event event = KnobWarnings.event(about, problem, now);
    send("POST", "/api/v1/namespaces/" + namespace + "/events", JSON, json.asJson(event));
  }

  /** Logs one line when writes begin to fail, not one for each of thousands of objects. */
  void reportFailure(IOException failure) {
    if (!closed && failing.compareAndSet(false, true)) {
      log.warn(
          "Simulated kubelets cannot write ({}); retrying until they can", failure.getMessage());
    }
  }

  private static String podPath(PodView.Identity pod) {
    return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
  }

  private Outcome send(String method, String path, String contentType, String body)
      throws IOException {
    if (closed) {
      throw new IOException("the simulated kubelets are closed");
    }
    HttpRequest request =
        http.newHttpRequestBuilder()
            .uri(server + path)
            .method(method, contentType, body)
            .header("Accept", METADATA_ONLY)
            .timeout(10, TimeUnit.SECONDS)
            .build();
    try {
      return outcome(method + " " + path, http.sendAsync(request, String.class).join());
    } catch (CompletionException failed) {
      throw new IOException(method + " " + path + ": " + failed.getCause(), failed);
    }
  }

  private Outcome outcome(String what, HttpResponse<String> response) throws IOException {
    Outcome outcome =
        switch (response.code()) {
          case 404 -> Outcome.GONE;
          case 409 -> Outcome.OUTDATED;
          default -> {
            if (!response.isSuccessful()) {
              throw new IOException(what + ": " + response.code() + " " + response.body());
            }
            yield Outcome.DONE;
          }
        };
    failing.set(false);
    return outcome;
  }

  /** No write starts after this. */
  @Override
  public void close() {
    closed = true;
  }
}

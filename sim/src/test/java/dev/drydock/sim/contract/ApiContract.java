package dev.drydock.sim.contract;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Shared by all contracts: the API under test, objects that no other test touches, and requests
 * with complete answers. There is no kubelet, so contracts write pod statuses themselves.
 */
public abstract class ApiContract {
  static final String MERGE_PATCH = "application/merge-patch+json";
  static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";
  private static final long ANSWER_SECONDS = 60;
  private static final String JSON = "application/json";

  private final Deque<HasMetadata> clusterScoped = new ArrayDeque<>();
  private @Nullable ApiUnderTest api;

  @BeforeEach
  void begin(ApiUnderTest given) {
    api = given;
  }

  /** The namespace is deleted anyway, but its pods would wait for a kubelet. */
  @AfterEach
  void cleanUp() {
    pods().withGracePeriod(0).delete();
    clusterScoped.forEach(object -> client().resource(object).delete());
  }

  final KubernetesClient client() {
    return requireNonNull(api).client();
  }

  final String namespace() {
    return requireNonNull(api).namespace();
  }

  final NonNamespaceOperation<Pod, PodList, PodResource> pods() {
    return client().pods().inNamespace(namespace());
  }

  /** A name that no other test uses, including concurrent ones. */
  static String uniqueName(String prefix) {
    return prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
  }

  final <T extends HasMetadata> T createClusterScoped(T object) {
    T created = client().resource(object).create();
    clusterScoped.push(created);
    return created;
  }

  final Node createNode() {
    return createClusterScoped(
        new NodeBuilder().withNewMetadata().withName(uniqueName("node")).endMetadata().build());
  }

  /** Not started yet, on the given node if any, with the label {@code app}. */
  final Pod createPod(String name, String app, @Nullable Node node) {
    return createPod(pod(name, app, node).build());
  }

  final Pod createPod(Pod pod) {
    return pods().resource(pod).create();
  }

  static PodBuilder pod(String name, String app, @Nullable Node node) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("app", app)
        .endMetadata()
        .withNewSpec()
        .withNodeName(node == null ? null : node.getMetadata().getName())
        // no scheduler has this name, so a pod without a node stays unassigned
        .withSchedulerName("nobody")
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .endContainer()
        .endSpec();
  }

  final Pod runPod(String name, String app, Node node) {
    return report(createPod(name, app, node), "Running", true);
  }

  final Pod runUnreadyPod(String name, String app, Node node) {
    return report(createPod(name, app, node), "Running", false);
  }

  /** Writes a pod's status, as its kubelet would. */
  final Pod report(Pod pod, String phase, boolean ready) {
    return pods()
        .withName(pod.getMetadata().getName())
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            """
            {"status": {"phase": "%s", "conditions": [{"type": "Ready", "status": "%s"}]}}
            """
                .formatted(phase, ready ? "True" : "False"));
  }

  final @Nullable Pod read(Pod pod) {
    return pods().withName(pod.getMetadata().getName()).get();
  }

  final Pod require(Pod pod) {
    return pods().withName(pod.getMetadata().getName()).require();
  }

  /** Waits for controllers and watches, on a machine that may be busy. */
  static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(2));
  }

  final Answer evict(Pod pod) {
    return evict(pod, Map.of());
  }

  final Answer evict(Pod pod, Map<String, Object> deleteOptions) {
    return send("POST", path(pod) + "/eviction", JSON, eviction(pod, deleteOptions));
  }

  static Map<String, Object> eviction(Pod pod, Map<String, Object> deleteOptions) {
    return Map.of(
        "apiVersion",
        "policy/v1",
        "kind",
        "Eviction",
        "metadata",
        Map.of("name", pod.getMetadata().getName()),
        "deleteOptions",
        deleteOptions);
  }

  final Answer delete(Pod pod, Map<String, Object> deleteOptions) {
    return send("DELETE", path(pod), JSON, deleteOptions);
  }

  final Answer post(String path, Object body) {
    return send("POST", path, JSON, body);
  }

  final Answer get(String path) {
    return send(request(path).build());
  }

  final Answer patch(String path, String patchType, Object body) {
    return send("PATCH", path, patchType, body);
  }

  final Answer send(String method, String path, String contentType, Object body) {
    String text = body instanceof String json ? json : Serialization.asJson(body);
    return send(request(path).method(method, contentType, text).build());
  }

  final HttpRequest.Builder request(String path) {
    return client()
        .getHttpClient()
        .newHttpRequestBuilder()
        .uri(URI.create(client().getMasterUrl() + path));
  }

  final Answer send(HttpRequest request) {
    try {
      return Answer.of(
          client()
              .getHttpClient()
              .sendAsync(request, String.class)
              .get(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("no answer", e);
    }
  }

  static String path(Node node) {
    return "api/v1/nodes/" + node.getMetadata().getName();
  }

  static String path(Pod pod) {
    return podsPath(pod.getMetadata().getNamespace()) + "/" + pod.getMetadata().getName();
  }

  static String podsPath(String namespace) {
    return "api/v1/namespaces/" + namespace + "/pods";
  }
}

package dev.drydock.drain.engine;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The DrainRequests of one test, as a client writes and reads them. */
final class DrainRequestFixture implements AutoCloseable {
  static final String FORCE = "policy: {force: true}";

  private final DrainFixture fixture;

  /** Sees that the cluster knows DrainRequests. */
  DrainRequestFixture(DrainFixture fixture) {
    this.fixture = fixture;
    fixture.define(CrdCatalog.yaml());
    fixture.eventually().until(() -> all().list() != null);
  }

  /** Nobody serves them any more, so nobody would let them go. */
  @Override
  public void close() {
    all().list().getItems().forEach(request -> finalizers(request.getMetadata().getName()));
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  NonNamespaceOperation<DrainRequest, KubernetesResourceList<DrainRequest>, Resource<DrainRequest>>
      all() {
    return fixture.client().resources(DrainRequest.class).inNamespace(fixture.namespace);
  }

  void request(String name, String node, String... more) {
    create(name, node, List.of(), more);
  }

  void create(String name, String node, List<String> finalizers, String... more) {
    String yaml =
        """
        apiVersion: nvsentinel.nvidia.com/v1alpha1
        kind: DrainRequest
        metadata:
          name: %s
          namespace: %s
          finalizers: %s
        spec:
          nodeName: %s
          reason: a test
        """
            .formatted(name, fixture.namespace, finalizers, node);
    for (String line : more) {
      yaml += "  " + line + "\n";
    }
    fixture.client().load(stream(yaml)).create();
  }

  void finalizers(String name, String... finalizers) {
    all()
        .withName(name)
        .edit(
            request -> {
              request.getMetadata().setFinalizers(List.of(finalizers));
              return request;
            });
  }

  DrainRequest read(String name) {
    return all().withName(name).require();
  }

  DrainRequestStatus status(String name) {
    return Objects.requireNonNullElse(read(name).getStatus(), DrainRequestStatus.EMPTY);
  }

  /** As {@code status reason}, e.g. {@code True NoPods}; empty before there is a condition. */
  String complete(String name) {
    return condition(name, "DrainComplete");
  }

  /** The same of the condition of this type. */
  String condition(String name, String type) {
    return Objects.requireNonNullElse(status(name).conditions(), List.<Condition>of()).stream()
        .filter(condition -> condition.type().equals(type))
        .map(condition -> condition.status() + " " + condition.reason())
        .findFirst()
        .orElse("");
  }

  void awaitComplete(String name, String what) {
    fixture.eventually().until(() -> complete(name), what::equals);
  }

  void awaitGone(String name) {
    fixture.eventually().until(() -> all().withName(name).get() == null);
  }

  boolean schedulable(String node) {
    return !Boolean.TRUE.equals(fixture.read(node).getSpec().getUnschedulable());
  }

  /** A node whose pods may not go, and a request that waits for them. */
  String blocked(String name, int pods) {
    String node = fixture.node();
    fixture.pods(node, "guarded", pods);
    fixture.budget("keep", "guarded", pods);
    request(name, node, FORCE);
    awaitComplete(name, "False Blocked");
    return node;
  }
}

package dev.drydock.testbed.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** Simulated kubelets of one test on a shared control plane, with nodes that no other test uses. */
final class TestFleet implements AutoCloseable {
  final String id = "sim-" + UUID.randomUUID().toString().substring(0, 8);
  final String prefix = id + "-";
  final String namespace;
  private final ControlPlane cluster;
  private final KubernetesClient client;
  private SimulatedKubelets kubelets;

  TestFleet(ControlPlane cluster, String namespace) {
    this.cluster = cluster;
    this.client = cluster.client();
    this.namespace = namespace;
    this.kubelets = SimulatedKubelets.start(client);
  }

  SimulatedKubelets kubelets() {
    return kubelets;
  }

  List<String> register(int count) {
    return kubelets.register(count, prefix, NodeTemplate.DEFAULT.withLabel("fleet", id));
  }

  String registerOne() {
    return register(1).getFirst();
  }

  /** Another process takes over from this one. */
  void restart() {
    kubelets.close();
    kubelets = SimulatedKubelets.start(client);
  }

  /** A pod created on the node, with annotations given as name, value, name, value... */
  PodResource run(String name, String node, String... annotations) {
    return run(new PodBuilder(template(name, annotations)).editSpec().withNodeName(node).endSpec());
  }

  PodResource run(PodBuilder pod) {
    client.resource(pod.build()).create();
    return pod(pod.buildMetadata().getName());
  }

  PodResource pod(String name) {
    return client.pods().inNamespace(namespace).withName(name);
  }

  Pod template(String name, String... annotations) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("main")
            .withImage("none")
            .endContainer()
            .endSpec();
    for (int index = 0; index < annotations.length; index += 2) {
      pod.editMetadata().addToAnnotations(annotations[index], annotations[index + 1]).endMetadata();
    }
    return pod.build();
  }

  Node node(String name) {
    return client.nodes().withName(name).require();
  }

  String nodeCondition(String name, String type) {
    return node(name).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .map(NodeCondition::getStatus)
        .findFirst()
        .orElse("absent");
  }

  /** Uses kubectl, as people do; {@code null} removes the annotation. */
  void annotate(String kind, String name, Knob knob, @Nullable String value) {
    String change = value == null ? knob.annotation() + "-" : knob.annotation() + "=" + value;
    assertThat(
            cluster
                .kubectl("annotate", "--overwrite", "-n", namespace, kind, name, change)
                .exitCode())
        .isZero();
  }

  static @Nullable PodCondition condition(Pod pod, String type) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst()
        .orElse(null);
  }

  static boolean isReady(@Nullable Pod pod) {
    PodCondition ready = pod == null ? null : condition(pod, "Ready");
    return ready != null && "True".equals(ready.getStatus());
  }

  void awaitReady(PodResource pod) {
    eventually(() -> assertThat(isReady(pod.get())).isTrue());
  }

  void awaitGone(PodResource pod) {
    eventually(() -> assertThat(pod.get()).isNull());
  }

  static void eventually(ThrowingRunnable assertion) {
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(assertion);
  }

  @Override
  public void close() {
    kubelets.close();
    client.nodes().withLabels(Map.of("fleet", id)).delete();
  }
}

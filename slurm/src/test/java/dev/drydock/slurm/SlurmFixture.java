package dev.drydock.slurm;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus.DrainedPod;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.slurm.drainer.SlinkyDrainController;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider;
import dev.drydock.slurm.drainer.decide.UnreadyPods;
import dev.drydock.slurm.mock.MockSlurmOperator;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster whose nodes run Slurm workers, and the processes of this module. */
public final class SlurmFixture implements AutoCloseable {
  public static final String REASON = "nodeset.slinky.slurm.net/node-cordon-reason";
  public static final String STATE_LABEL = "dgxc.nvidia.com/nvsentinel-state";
  public static final String NAMESPACE = "nvsentinel";
  public static final String SLINKY = "slinky";
  public static final SlinkyDrainDecider.Limits LIMITS =
      new SlinkyDrainDecider.Limits(
          Duration.ofMinutes(30), Duration.ofSeconds(5), UnreadyPods.WAIT);

  /** Of DrainRequests alone, which is sooner there than all kinds. */
  public static final String DEFINITION = CrdCatalog.yaml(List.of(DrainRequest.class));

  private final TestCluster cluster;
  private int nodes;

  public SlurmFixture(TestCluster cluster, String definitions) {
    this.cluster = cluster;
    cluster.define(definitions);
    for (String name : List.of(NAMESPACE, SLINKY, "drydock-system")) {
      if (client().namespaces().withName(name).get() == null) {
        client()
            .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
            .create();
      }
    }
  }

  public static SlurmFixture simulated() {
    return new SlurmFixture(TestCluster.simulated(), DEFINITION);
  }

  public TestCluster cluster() {
    return cluster;
  }

  public KubernetesClient client() {
    return cluster.client();
  }

  public Eventually eventually() {
    return cluster.eventually();
  }

  public String addNode() {
    nodes++;
    return cluster.addNode("worker" + nodes);
  }

  /** A pod that runs and is Ready. */
  public void worker(String name, String node) {
    worker(name, node, "0s");
    eventually().until(() -> condition(name, "Ready"), "True"::equals);
  }

  /** The same, but Ready only after a while. */
  public void worker(String name, String node, String readyAfter) {
    bindWorker(name, node, readyAfter);
    eventually().until(() -> pod(name).orElseThrow().getStatus().getPhase(), "Running"::equals);
  }

  /** The same, without time to pass. */
  public void bindWorker(String name, String node, String readyAfter) {
    client()
        .pods()
        .inNamespace(SLINKY)
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("sim.drydock.dev/ready-after", readyAfter)
                .addToLabels("app", "slinky-workload")
                .addToLabels("app.kubernetes.io/name", "slurmd")
                .addToLabels("app.kubernetes.io/component", "worker")
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("nginx")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .build())
        .create();
  }

  /** A process that drains through Slurm. */
  public record Drainer(TestProcess process, SlinkyDrainController controller)
      implements AutoCloseable {
    @Override
    public void close() {
      controller.close();
      process.close();
    }
  }

  public Drainer drainer() {
    return drainer(RequestInterceptor.NONE);
  }

  public Drainer drainer(RequestInterceptor interceptor) {
    return drainer(ProcessOptions.of(interceptor), LIMITS);
  }

  public Drainer drainer(ProcessOptions options, SlinkyDrainDecider.Limits limits) {
    TestProcess process = cluster.process(options);
    SlinkyDrainController controller =
        new SlinkyDrainController(
            process.kube(),
            new SlinkyDrainController.Options(SLINKY, "drydock-system", limits),
            new SimpleMeterRegistry());
    controller.start();
    return new Drainer(process, controller);
  }

  /** A process that stands in for Slurm. */
  public record Mock(TestProcess process, MockSlurmOperator operator) implements AutoCloseable {
    @Override
    public void close() {
      operator.close();
      process.close();
    }
  }

  public Mock mock() {
    return mock(ProcessOptions.of(RequestInterceptor.NONE));
  }

  public Mock mock(ProcessOptions options) {
    TestProcess process = cluster.process(options);
    MockSlurmOperator operator =
        new MockSlurmOperator(process.kube(), SLINKY, Duration.ofSeconds(5));
    operator.start();
    return new Mock(process, operator);
  }

  /** As people write one by hand. */
  public void request(String name, String node) {
    request(name, node, "");
  }

  /**
   * The same.
   *
   * @param more lines of the spec
   */
  public void request(String name, String node, String more) {
    client()
        .resource(
            """
            apiVersion: nvsentinel.nvidia.com/v1alpha1
            kind: DrainRequest
            metadata:
              name: %s
              namespace: nvsentinel
            spec:
              nodeName: %s
              checkName: ManualTest
              recommendedAction: drain
              errorCode: ["TEST-001"]
              healthEventID: "manual-test-event"
              reason: "Manual drain test"
              %s
            """
                .formatted(name, node, more))
        .create();
  }

  private Resource<DrainRequest> found(String request) {
    return client().resources(DrainRequest.class).inNamespace(NAMESPACE).withName(request);
  }

  public @Nullable DrainRequest get(String request) {
    return found(request).get();
  }

  public void delete(String request) {
    found(request).delete();
  }

  /** To more than is kept of an object. */
  public void enlarge(String request) {
    String text = "x".repeat(30_000);
    String patch =
        "{\"spec\":{\"metadata\":{\"a\":\"%s\",\"b\":\"%s\",\"c\":\"%s\"}}}"
            .formatted(text, text, text);
    var _ = found(request).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** Changes the node that it names. */
  public void move(String request, String node) {
    String patch = "{\"spec\":{\"nodeName\":\"%s\"}}".formatted(node);
    var _ = found(request).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  public List<String> finalizers(String request) {
    return found(request).require().getMetadata().getFinalizers();
  }

  /** Status and reason of a condition, like {@code True DrainComplete}. */
  public String answer(String request, String type) {
    return conditions(request)
        .filter(each -> each.type().equals(type))
        .map(each -> each.status() + " " + each.reason())
        .findFirst()
        .orElse("");
  }

  public String message(String request) {
    return conditions(request)
        .filter(each -> each.type().equals("DrainComplete"))
        .map(Condition::message)
        .findFirst()
        .orElse("");
  }

  private Stream<Condition> conditions(String request) {
    DrainRequest present = found(request).require();
    return Stream.ofNullable(present.getStatus())
        .flatMap(
            status ->
                Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream());
  }

  public List<DrainedPod> drainedPods(String request) {
    DrainRequest present = found(request).require();
    return Objects.requireNonNullElse(present.getStatus().pods(), List.of());
  }

  public Node node(String name) {
    return client().nodes().withName(name).require();
  }

  /** The cordon reason; empty if the node has none. */
  public String reason(String node) {
    return node(node).getMetadata().getAnnotations().getOrDefault(REASON, "");
  }

  public void label(String node, @Nullable String value) {
    client()
        .nodes()
        .withName(node)
        .edit(
            each -> {
              Map<String, String> labels = each.getMetadata().getLabels();
              if (value == null) {
                labels.remove(STATE_LABEL);
              } else {
                labels.put(STATE_LABEL, value);
              }
              return each;
            });
  }

  public void annotate(String node, @Nullable String reason) {
    client()
        .nodes()
        .withName(node)
        .edit(
            each -> {
              Map<String, String> annotations = each.getMetadata().getAnnotations();
              if (reason == null) {
                annotations.remove(REASON);
              } else {
                annotations.put(REASON, reason);
              }
              return each;
            });
  }

  public Optional<Pod> pod(String name) {
    return Optional.ofNullable(client().pods().inNamespace(SLINKY).withName(name).get());
  }

  /** Of those that are not being deleted. */
  public List<String> pods() {
    return client().pods().inNamespace(SLINKY).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .map(pod -> pod.getMetadata().getName())
        .sorted()
        .toList();
  }

  /** The status of a pod's condition; empty without one. */
  public String condition(String pod, String type) {
    return pod(pod).stream()
        .flatMap(each -> each.getStatus().getConditions().stream())
        .filter(each -> each.getType().equals(type))
        .map(PodCondition::getStatus)
        .findFirst()
        .orElse("");
  }

  public void setCondition(String pod, String type, String status) {
    client()
        .pods()
        .inNamespace(SLINKY)
        .withName(pod)
        .editStatus(
            each -> {
              List<PodCondition> all = new ArrayList<>(each.getStatus().getConditions());
              all.removeIf(condition -> condition.getType().equals(type));
              PodCondition condition = new PodCondition();
              condition.setType(type);
              condition.setStatus(status);
              condition.setReason("Test");
              all.add(condition);
              each.getStatus().setConditions(all);
              return each;
            });
  }

  /** Events about a DrainRequest, like {@code SlurmDrained slinky/w1: ...}, in order. */
  public List<String> events(String request) {
    return client().v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(request))
        .map((Event event) -> event.getReason() + " " + event.getMessage())
        .toList();
  }

  @Override
  public void close() {
    cluster.close();
  }
}

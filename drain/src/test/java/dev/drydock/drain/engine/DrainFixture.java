package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.hold.HoldController;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.serve.feature.HoldOwner;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Nodes, pods and budgets of one test on a cluster with simulated kubelets. */
final class DrainFixture implements AutoCloseable {
  /** Pods of tests have no controller. */
  static final DrainPolicy FORCE = DrainPolicy.builder().force(true).build();

  final String namespace;
  private final TestCluster cluster;
  private final List<TestProcess> processes = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private final List<DrainRequestFixture> requests = new ArrayList<>();

  DrainFixture(TestCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  KubernetesClient client() {
    return cluster.client();
  }

  DrainEngine engine() {
    return engine(RequestInterceptor.NONE);
  }

  /** In a process of its own. */
  DrainEngine engine(RequestInterceptor hook) {
    return new DrainEngine(process(hook).kube());
  }

  /** Serves all requests that name nobody. */
  static void serve(DrainEngine engine) {
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);
  }

  static void keepHolds(DrainEngine engine, List<HoldOwner> owners) {
    HoldController holds =
        new HoldController(engine.kube(), engine.holds(), engine.everyNode(), owners);
    engine.onClose(holds::close);
    holds.start();
  }

  TestProcess process(RequestInterceptor hook) {
    TestProcess process = cluster.process(hook);
    processes.add(process);
    return process;
  }

  String node() {
    String name = cluster.addNode(namespace + "-" + (nodes.size() + 1));
    nodes.add(name);
    return name;
  }

  Node read(String node) {
    return client().nodes().withName(node).require();
  }

  /** Running pods without a controller, named after the node and a word. */
  List<Pod> pods(String node, String word, int count) {
    return pods(node, word, count, Map.of());
  }

  List<Pod> pods(String node, String word, int count, Map<Knob, String> knobs) {
    List<Callable<Pod>> creations =
        IntStream.range(0, count)
            .<Callable<Pod>>mapToObj(i -> () -> create(node, word + "-" + i, word, knobs))
            .toList();
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      for (Future<Pod> created : threads.invokeAll(creations)) {
        created.get();
      }
    } catch (InterruptedException | ExecutionException failed) {
      throw new IllegalStateException(failed);
    }
    eventually().until(() -> ready(word), ready -> ready.size() == count);
    return ready(word);
  }

  private List<Pod> ready(String word) {
    return client().pods().inNamespace(namespace).withLabel("app", word).list().getItems().stream()
        .filter(
            pod ->
                pod.getStatus().getConditions().stream()
                    .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True")))
        .toList();
  }

  private Pod create(String node, String name, String word, Map<Knob, String> knobs) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("app", word)
            .endMetadata()
            .withNewSpec()
            .withNodeName(node)
            .withTerminationGracePeriodSeconds(1L)
            .addNewContainer()
            .withName("main")
            .withImage("none")
            .endContainer()
            .endSpec();
    knobs.forEach(
        (knob, value) ->
            pod.editMetadata().addToAnnotations(knob.annotation(), value).endMetadata());
    return client().pods().inNamespace(namespace).resource(pod.build()).create();
  }

  /** Guards the pods with that word; waits until the numbers are computed, of pods that run. */
  void budget(String name, String word, int minAvailable) {
    client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(namespace)
        .resource(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewMinAvailable(minAvailable)
                .withNewSelector()
                .addToMatchLabels("app", word)
                .endSelector()
                .endSpec()
                .build())
        .create();
    eventually()
        .until(
            () ->
                client()
                    .policy()
                    .v1()
                    .podDisruptionBudget()
                    .inNamespace(namespace)
                    .withName(name)
                    .require(),
            budget ->
                budget.getStatus() != null
                    && budget.getStatus().getObservedGeneration() != null
                    && budget.getStatus().getExpectedPods() > 0
                    && budget.getStatus().getCurrentHealthy() >= minAvailable);
  }

  void define(String definitions) {
    cluster.define(definitions);
  }

  void kubectl(String... arguments) {
    kubectlWithInput("", arguments);
  }

  void kubectlWithInput(String input, String... arguments) {
    cluster.kubectl(input, arguments).output();
  }

  List<Pod> podsOn(String node) {
    return client()
        .pods()
        .inNamespace(namespace)
        .withField("spec.nodeName", node)
        .list()
        .getItems();
  }

  List<Event> events(String node) {
    return client().events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getRegarding() != null)
        .filter(event -> node.equals(event.getRegarding().getName()))
        .filter(event -> "drydock.dev".equals(event.getReportingController()))
        .toList();
  }

  DrainOutcome end(DrainRun run) {
    return end(run.outcome());
  }

  DrainOutcome end(CompletableFuture<DrainOutcome> outcome) {
    eventually().until(outcome::isDone);
    return outcome.join();
  }

  Eventually eventually() {
    return cluster.eventually();
  }

  Instant now() {
    return cluster.clock().instant();
  }

  /** DrainRequests of this test; let go when it is closed, when no engine serves them any more. */
  DrainRequestFixture requests() {
    DrainRequestFixture added = new DrainRequestFixture(this);
    requests.add(added);
    return added;
  }

  @Override
  public void close() {
    processes.forEach(TestProcess::kill);
    requests.forEach(DrainRequestFixture::close);
    nodes.forEach(node -> client().nodes().withName(node).delete());
    cluster.close();
  }
}

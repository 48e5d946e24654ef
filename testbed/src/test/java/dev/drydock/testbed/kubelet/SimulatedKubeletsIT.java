package dev.drydock.testbed.kubelet;

import static dev.drydock.testbed.kubelet.TestFleet.condition;
import static dev.drydock.testbed.kubelet.TestFleet.eventually;
import static dev.drydock.testbed.kubelet.TestFleet.isReady;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.kubelet.Knob;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@ClusterTest
class SimulatedKubeletsIT {
  private static final String FINALIZER = "example.test/keep";

  private final ControlPlane cluster;
  private final KubernetesClient client;
  private final TestNamespace namespace;
  private final TestFleet fleet;

  SimulatedKubeletsIT(ControlPlane cluster, TestNamespace namespace) {
    this.cluster = cluster;
    this.client = cluster.client();
    this.namespace = namespace;
    this.fleet = new TestFleet(cluster, namespace.name());
  }

  @AfterEach
  void closeFleet() {
    fleet.close();
  }

  @Test
  void nodesAreReadyWithAllThatAKubeletTells() {
    List<String> names = fleet.register(6);

    eventually(
        () ->
            assertThat(names)
                .allSatisfy(
                    name -> assertThat(fleet.nodeCondition(name, "Ready")).isEqualTo("True"))
                .allSatisfy(name -> assertThat(fleet.node(name).getSpec().getTaints()).isEmpty()));
    Node node = fleet.node(names.getFirst());
    assertThat(node.getMetadata().getLabels())
        .containsEntry("kubernetes.io/hostname", names.getFirst())
        .containsEntry("kubernetes.io/os", "linux")
        .containsKey("kubernetes.io/arch");
    assertThat(node.getStatus().getNodeInfo().getKubeletVersion())
        .isEqualTo(client.getKubernetesVersion().getGitVersion());
    assertThat(node.getStatus().getAllocatable()).containsEntry("pods", new Quantity("110"));
    assertThat(
            names.stream()
                .map(name -> fleet.node(name).getStatus().getAddresses().getFirst().getAddress()))
        .doesNotHaveDuplicates();
    assertThat(
            names.stream()
                .map(name -> fleet.node(name).getMetadata().getLabels())
                .collect(
                    Collectors.groupingBy(
                        labels -> labels.get("topology.kubernetes.io/zone"),
                        Collectors.counting())))
        .hasSize(3)
        .allSatisfy((zone, count) -> assertThat(count).isEqualTo(2));
    eventually(
        () ->
            assertThat(
                    client
                        .leases()
                        .inNamespace("kube-node-lease")
                        .withName(names.getFirst())
                        .require()
                        .getSpec())
                .satisfies(
                    lease -> {
                      assertThat(lease.getHolderIdentity()).isEqualTo(names.getFirst());
                      assertThat(lease.getLeaseDurationSeconds()).isEqualTo(40);
                    }));
  }

  @Test
  void adoptsANodeThatIsThereAndAddsOnlyWhatItLacks() {
    String name = fleet.prefix + "1";
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("topology.kubernetes.io/zone", "my-zone")
                .endMetadata()
                .build())
        .create();

    fleet.registerOne();

    eventually(() -> assertThat(fleet.nodeCondition(name, "Ready")).isEqualTo("True"));
    assertThat(fleet.node(name).getMetadata().getLabels())
        .containsEntry("topology.kubernetes.io/zone", "my-zone")
        .containsEntry("kubernetes.io/hostname", name);
    assertThat(fleet.node(name).getStatus().getAllocatable()).containsKey("cpu");
  }

  @Test
  void boundPodsRun() {
    String node = fleet.registerOne();

    PodResource pod = fleet.run("pod", node);

    fleet.awaitReady(pod);
    Pod running = pod.require();
    assertThat(running.getStatus().getPhase()).isEqualTo("Running");
    assertThat(List.of("PodScheduled", "Initialized", "ContainersReady"))
        .allSatisfy(
            type ->
                assertThat(Objects.requireNonNull(condition(running, type)).getStatus())
                    .isEqualTo("True"));
    assertThat(running.getStatus().getPodIP()).startsWith("10.");
    assertThat(running.getStatus().getHostIP())
        .isEqualTo(fleet.node(node).getStatus().getAddresses().getFirst().getAddress());
    assertThat(running.getStatus().getStartTime()).isNotNull();
    assertThat(containerOf(running).getState().getRunning()).isNotNull();
  }

  @Test
  void podsOfOtherNodesAreLeftAlone() {
    String node = fleet.registerOne();
    String other = fleet.prefix + "other";
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(other)
                .addToLabels("fleet", fleet.id)
                .endMetadata()
                .build())
        .create();
    PodResource foreign = fleet.run("foreign", other);

    fleet.awaitReady(fleet.run("own", node));

    assertThat(foreign.require().getStatus().getContainerStatuses()).isEmpty();
  }

  @Test
  void readyAfterDelaysReadiness() {
    PodResource pod = fleet.run("pod", fleet.registerOne(), "sim.drydock.dev/ready-after", "3s");

    fleet.awaitReady(pod);

    Instant started =
        Instant.parse(containerOf(pod.require()).getState().getRunning().getStartedAt());
    Instant ready =
        Instant.parse(
            Objects.requireNonNull(condition(pod.require(), "Ready")).getLastTransitionTime());
    assertThat(Duration.between(started, ready)).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void neverReadyHoldsUntilTheAnnotationGoes() {
    String node = fleet.registerOne();
    PodResource never = fleet.run("never", node, "sim.drydock.dev/never-ready", "true");
    fleet.awaitReady(fleet.run("other", node));
    eventually(() -> assertThat(never.require().getStatus().getPhase()).isEqualTo("Running"));
    assertThat(isReady(never.require())).isFalse();

    fleet.annotate("pod", "never", Knob.NEVER_READY, null);

    fleet.awaitReady(never);
  }

  @Test
  void stopAfterDelaysTheEndOfADeletedPod() {
    // A finalizer keeps the Pod readable after its end.
    PodBuilder kept =
        new PodBuilder(fleet.template("kept", "sim.drydock.dev/stop-after", "3s"))
            .editMetadata()
            .addToFinalizers(FINALIZER)
            .endMetadata()
            .editSpec()
            .withNodeName(fleet.registerOne())
            .endSpec();
    PodResource pod = fleet.run(kept);
    fleet.awaitReady(pod);

    pod.delete();

    eventually(() -> assertThat(pod.require().getStatus().getPhase()).isEqualTo("Failed"));
    eventually(
        () ->
            assertThat(pod.require().getMetadata().getDeletionGracePeriodSeconds())
                .as("the kubelet has let go")
                .isZero());
    var ended = containerOf(pod.require()).getState().getTerminated();
    assertThat(ended.getExitCode()).isEqualTo(143);
    assertThat(
            Duration.between(
                Instant.parse(ended.getStartedAt()), Instant.parse(ended.getFinishedAt())))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    pod.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
    fleet.awaitGone(pod);
  }

  @Test
  void refuseStopKeepsADeletedPodUntilTheAnnotationGoes() {
    String node = fleet.registerOne();
    PodResource stubborn = fleet.run("stubborn", node, "sim.drydock.dev/refuse-stop", "true");
    PodResource willing = fleet.run("willing", node);
    fleet.awaitReady(stubborn);
    fleet.awaitReady(willing);
    stubborn.withGracePeriod(1).delete();
    willing.delete();

    fleet.awaitGone(willing);
    assertThat(stubborn.require().getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(stubborn.require().getStatus().getPhase()).isEqualTo("Running");

    fleet.annotate("pod", "stubborn", Knob.REFUSE_STOP, null);
    fleet.awaitGone(stubborn);
  }

  @Test
  void completedPodsSucceedAndCanBeDeleted() {
    PodResource pod = fleet.run("pod", fleet.registerOne(), "sim.drydock.dev/complete-after", "1s");

    eventually(() -> assertThat(pod.require().getStatus().getPhase()).isEqualTo("Succeeded"));
    assertThat(containerOf(pod.require()).getState().getTerminated().getReason())
        .isEqualTo("Completed");
    pod.delete();
    fleet.awaitGone(pod);
  }

  @Test
  void jobsCompleteAndReplaceDeletedPods() {
    fleet.registerOne();
    client
        .resource(
            new JobBuilder()
                .withNewMetadata()
                .withName("job")
                .withNamespace(namespace.name())
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withSpec(
                    new PodBuilder(fleet.template("unused"))
                        .editSpec()
                        .withRestartPolicy("Never")
                        .addToNodeSelector("fleet", fleet.id)
                        .endSpec()
                        .build()
                        .getSpec())
                .endTemplate()
                .endSpec()
                .build())
        .create();
    var pods = client.pods().inNamespace(namespace.name()).withLabel("job-name", "job");
    eventually(() -> assertThat(pods.list().getItems()).anyMatch(TestFleet::isReady));
    String first = pods.list().getItems().getFirst().getMetadata().getName();

    fleet.pod(first).delete();

    fleet.awaitGone(fleet.pod(first));
    eventually(() -> assertThat(pods.list().getItems()).anyMatch(TestFleet::isReady));
    String second = pods.list().getItems().getFirst().getMetadata().getName();
    fleet.annotate("pod", second, Knob.COMPLETE_AFTER, "0s");
    eventually(
        () ->
            assertThat(
                    client
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace(namespace.name())
                        .withName("job")
                        .require()
                        .getStatus()
                        .getSucceeded())
                .isEqualTo(1));
  }

  @Test
  void aRebootRestartsTheNodeAndItsContainers() {
    String node = fleet.registerOne();
    fleet.annotate("node", node, Knob.REBOOT_TAKES, "5s");
    PodResource pod = fleet.run("pod", node);
    PodResource once =
        fleet.run(
            new PodBuilder(fleet.template("once"))
                .editSpec()
                .withRestartPolicy("Never")
                .withNodeName(node)
                .endSpec());
    fleet.awaitReady(pod);
    fleet.awaitReady(once);
    String firstBoot = fleet.node(node).getStatus().getNodeInfo().getBootID();

    fleet.annotate("node", node, Knob.REBOOT, "1");

    eventually(() -> assertThat(fleet.nodeCondition(node, "Ready")).isEqualTo("False"));
    eventually(() -> assertThat(fleet.nodeCondition(node, "Ready")).isEqualTo("True"));
    assertThat(fleet.node(node).getStatus().getNodeInfo().getBootID()).isNotEqualTo(firstBoot);
    eventually(() -> assertThat(containerOf(pod.require()).getRestartCount()).isEqualTo(1));
    fleet.awaitReady(pod);
    eventually(() -> assertThat(once.require().getStatus().getPhase()).isEqualTo("Failed"));
  }

  @Test
  void aNodesKnobsAreDefaultsForItsPods() {
    String node = fleet.registerOne();
    fleet.annotate("node", node, Knob.NEVER_READY, "true");
    // Nodes and pods come by two watches: a running process may see the pod first.
    fleet.restart();
    fleet.registerOne();
    PodResource pod = fleet.run("pod", node);
    PodResource other = fleet.run("other", node, "sim.drydock.dev/never-ready", "false");

    fleet.awaitReady(other);
    eventually(() -> assertThat(pod.require().getStatus().getPhase()).isEqualTo("Running"));
    assertThat(isReady(pod.require())).isFalse();

    fleet.annotate("node", node, Knob.NEVER_READY, null);
    fleet.awaitReady(pod);
  }

  @Test
  void aMalformedKnobIsReportedOnItsObjectAndIgnored() {
    String node = fleet.registerOne();
    fleet.annotate("node", node, Knob.STOP_AFTER, "whenever");
    PodResource pod = fleet.run("pod", node, "sim.drydock.dev/ready-after", "soon");

    fleet.awaitReady(pod);
    eventually(
        () ->
            assertThat(client.v1().events().inNamespace(namespace.name()).list().getItems())
                .filteredOn(event -> event.getReason().equals("BadSimulationKnob"))
                .singleElement()
                .satisfies(
                    event -> {
                      assertThat(event.getType()).isEqualTo("Warning");
                      assertThat(event.getInvolvedObject().getName()).isEqualTo("pod");
                      assertThat(event.getMessage()).contains("ready-after: \"soon\"");
                    }));
    eventually(
        () ->
            assertThat(client.v1().events().inNamespace("default").list().getItems())
                .filteredOn(event -> event.getInvolvedObject().getName().equals(node))
                .extracting(Event::getMessage)
                .anySatisfy(message -> assertThat(message).contains("stop-after: \"whenever\"")));
    pod.delete();
    fleet.awaitGone(pod);
  }

  @Test
  void aNewPodOfTheSameNameIsAnotherPod() {
    String node = fleet.registerOne();
    PodResource pod = fleet.run("pod", node, "sim.drydock.dev/refuse-stop", "true");
    fleet.awaitReady(pod);
    String first = pod.require().getMetadata().getUid();
    pod.delete();

    pod.withGracePeriod(0).delete();
    fleet.awaitGone(pod);
    fleet.run("pod", node);

    fleet.awaitReady(pod);
    assertThat(pod.require().getMetadata().getUid()).isNotEqualTo(first);
    assertThat(pod.require().getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void aDeletedNodeStaysDeletedUntilItIsRegisteredAgain() {
    List<String> nodes = fleet.register(2);
    client.nodes().withName(nodes.getFirst()).delete();
    fleet.awaitReady(fleet.run("pod", nodes.getLast()));
    assertThat(client.nodes().withName(nodes.getFirst()).get()).isNull();

    fleet.register(1);

    eventually(() -> assertThat(fleet.nodeCondition(nodes.getFirst(), "Ready")).isEqualTo("True"));
    fleet.awaitReady(fleet.run("again", nodes.getFirst()));
  }

  @Test
  void anotherProcessGoesOnWhereThisOneStopped() {
    String node = fleet.registerOne();
    PodResource running = fleet.run("running", node);
    PodResource ending = fleet.run("ending", node, "sim.drydock.dev/refuse-stop", "true");
    fleet.awaitReady(running);
    fleet.awaitReady(ending);
    ending.delete();
    String boot = fleet.node(node).getStatus().getNodeInfo().getBootID();
    String address = running.require().getStatus().getPodIP();

    fleet.restart();
    fleet.registerOne();
    fleet.annotate("pod", "ending", Knob.REFUSE_STOP, null);
    PodResource fresh = fleet.run("fresh", node);

    fleet.awaitGone(ending);
    fleet.awaitReady(fresh);
    assertThat(fleet.node(node).getStatus().getNodeInfo().getBootID()).isEqualTo(boot);
    assertThat(isReady(running.require())).isTrue();
    assertThat(containerOf(running.require()).getRestartCount()).isZero();
    assertThat(fresh.require().getStatus().getPodIP()).isNotEqualTo(address);
  }

  @Test
  void kubectlDrainsASimulatedNode() {
    List<String> nodes = fleet.register(2);
    for (int number = 1; number <= 5; number++) {
      fleet.awaitReady(fleet.run("pod-" + number, nodes.getFirst()));
    }

    assertThat(cluster.kubectl("drain", nodes.getFirst(), "--force", "--timeout=180s").output())
        .contains("drained");

    assertThat(client.pods().inNamespace(namespace.name()).list().getItems()).isEmpty();
  }

  @BeforeEach
  void nothingRunsBefore() {
    assertThat(client.pods().inNamespace(namespace.name()).list().getItems()).isEmpty();
  }

  private static ContainerStatus containerOf(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst();
  }
}

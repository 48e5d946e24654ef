package dev.drydock.slurm.drainer;

import static dev.drydock.slurm.SlurmFixture.LIMITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.slurm.SlurmFixture;
import dev.drydock.slurm.SlurmFixture.Drainer;
import dev.drydock.slurm.SlurmFixture.Mock;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** On the real API server, with the rights of the manifests and not one more. */
@ClusterTest
class SlinkyDrainOnRealClusterIT {
  private static final Path DEPLOY = Path.of("..", "deploy", "slurm");
  private static final String NODE = "nvsentinel-demo-worker";
  private static final String DRAINER = "system:serviceaccount:nvsentinel:slinky-drainer";
  private static final String MOCK = "system:serviceaccount:nvsentinel:mock-slurm-operator";
  private static final String REQUEST =
      """
      apiVersion: nvsentinel.nvidia.com/v1alpha1
      kind: DrainRequest
      metadata:
        name: manual-drain-test
        namespace: nvsentinel
      spec:
        nodeName: nvsentinel-demo-worker
        checkName: ManualTest
        recommendedAction: drain
        errorCode: ["TEST-001"]
        healthEventID: "manual-test-event"
        reason: "Manual drain test"
      """;

  private final ControlPlane controlPlane;

  SlinkyDrainOnRealClusterIT(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
  }

  /** All but the Deployments: the processes run in this test. */
  private static String rights() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String file :
        List.of(
            "namespace.yaml",
            "slinky-drainer.yaml",
            "mock-slurm-operator.yaml",
            "drain-template.yaml")) {
      all.append(
          Stream.of(Files.readString(DEPLOY.resolve(file)).split("(?m)^---$", -1))
              .filter(document -> !document.contains("kind: Deployment"))
              .collect(Collectors.joining("---\n", "", "---\n")));
    }
    return all.toString();
  }

  private static ProcessOptions as(SlurmFixture fixture, String account) {
    Config config = fixture.cluster().config();
    config.setImpersonateUsername(account);
    return ProcessOptions.of(RequestInterceptor.NONE).withRights(config);
  }

  @Test
  void theRequestOfTheManualTestIsDrainedStepByStepAndReleased() throws IOException {
    TestCluster cluster = TestCluster.real(controlPlane);
    try (SlurmFixture fixture = new SlurmFixture(cluster, SlurmFixture.DEFINITION)) {
      cluster.kubectl(rights(), "apply", "--server-side", "-f", "-").output();
      // watches that are denied at first wait long
      for (String account : List.of(DRAINER, MOCK)) {
        cluster
            .eventually()
            .until(
                () ->
                    cluster
                        .kubectl(
                            "", "auth", "can-i", "list", "pods", "-n", "slinky", "--as=" + account)
                        .succeeded());
      }
      cluster
          .eventually()
          .until(
              () ->
                  cluster
                      .kubectl(
                          "",
                          "auth",
                          "can-i",
                          "get",
                          "drainrequests",
                          "--as=" + DRAINER,
                          "-n",
                          "nvsentinel")
                      .succeeded());
      cluster.addNode(NODE);
      fixture.worker("slinky-workload-1", NODE);
      fixture.worker("slinky-workload-2", NODE);
      try (Recorder recorder = new Recorder(cluster.client());
          Drainer _ = fixture.drainer(as(fixture, DRAINER), LIMITS);
          Mock _ = fixture.mock(as(fixture, MOCK))) {
        cluster.kubectl(REQUEST, "apply", "-f", "-").output();
        cluster
            .eventually()
            .atMost(Duration.ofMinutes(3))
            .untilAsserted(
                () ->
                    assertThat(recorder.seen())
                        .containsExactly(
                            "finalizer",
                            "annotation [T] [NVSentinel] TEST-001 - Manual drain test",
                            "drained slinky-workload-1, slinky-workload-2",
                            "gone slinky-workload-1, slinky-workload-2",
                            "Complete and DrainComplete",
                            "annotation removed",
                            "finalizer removed"));

        assertThat(fixture.events("manual-drain-test"))
            .contains(
                "SlurmDrained slinky/slinky-workload-1: SlurmNodeStateDrain=True (NodeCordonedBySlinkyDrainer)",
                "SlurmDrained slinky/slinky-workload-2: SlurmNodeStateDrain=True (NodeCordonedBySlinkyDrainer)")
            .doesNotHaveDuplicates();
        assertThat(
                cluster
                    .kubectl(
                        "",
                        "get",
                        "drainrequest",
                        "manual-drain-test",
                        "-n",
                        "nvsentinel",
                        "-o",
                        "jsonpath={.status.pods[*].condition}")
                    .output())
            .isEqualTo("SlurmNodeStateDrain=True SlurmNodeStateDrain=True");
      } finally {
        fixture.delete("manual-drain-test");
      }
    }
  }

  /**
   * Watches by itself what happens, and says each step once, in the order in which the API server
   * has stored them: watches of several kinds come in any order.
   */
  private static final class Recorder implements AutoCloseable {
    private final Map<Long, String> steps = new ConcurrentSkipListMap<>();
    private final List<String> drained = Collections.synchronizedList(new ArrayList<>());
    private final List<String> gone = Collections.synchronizedList(new ArrayList<>());
    private final List<AutoCloseable> informers = new ArrayList<>();

    Recorder(KubernetesClient client) {
      informers.add(
          client.nodes().withName(NODE).inform(new Steps<Node>((old, node) -> node(old, node))));
      informers.add(
          client
              .pods()
              .inNamespace("slinky")
              .inform(
                  new ResourceEventHandler<Pod>() {
                    @Override
                    public void onAdd(Pod pod) {}

                    @Override
                    public void onUpdate(Pod old, Pod pod) {
                      if (isDrained(pod) && !isDrained(old)) {
                        both(drained, "drained", pod);
                      }
                    }

                    @Override
                    public void onDelete(Pod pod, boolean unknown) {
                      both(gone, "gone", pod);
                    }
                  }));
      informers.add(
          client
              .resources(DrainRequest.class)
              .inNamespace("nvsentinel")
              .inform(new Steps<DrainRequest>((old, request) -> request(old, request))));
    }

    private record Steps<T>(BiConsumer<T, T> update) implements ResourceEventHandler<T> {
      @Override
      public void onAdd(T object) {}

      @Override
      public void onUpdate(T old, T object) {
        update.accept(old, object);
      }

      @Override
      public void onDelete(T object, boolean unknown) {}
    }

    /** Revisions count the writes to the one etcd, of whatever kind. */
    private void step(HasMetadata object, String what) {
      steps.put(Long.parseLong(object.getMetadata().getResourceVersion()), what);
    }

    private void both(List<String> names, String what, Pod pod) {
      names.add(pod.getMetadata().getName());
      if (names.size() == 2) {
        step(pod, what + " " + names.stream().sorted().collect(Collectors.joining(", ")));
      }
    }

    private static boolean isDrained(Pod pod) {
      return pod.getStatus().getConditions().stream()
          .anyMatch(
              each ->
                  each.getType().equals("SlurmNodeStateDrain") && each.getStatus().equals("True"));
    }

    private void node(Node old, Node node) {
      String before = old.getMetadata().getAnnotations().getOrDefault(SlurmFixture.REASON, "");
      String after = node.getMetadata().getAnnotations().getOrDefault(SlurmFixture.REASON, "");
      if (!before.equals(after)) {
        step(node, after.isEmpty() ? "annotation removed" : "annotation " + after);
      }
    }

    private void request(DrainRequest old, DrainRequest request) {
      boolean before = !old.getMetadata().getFinalizers().isEmpty();
      boolean after = !request.getMetadata().getFinalizers().isEmpty();
      if (before != after) {
        step(request, after ? "finalizer" : "finalizer removed");
      }
      String complete = complete(request);
      if (!complete.isEmpty() && !complete.equals(complete(old))) {
        step(request, complete);
      }
    }

    private static String complete(DrainRequest request) {
      return Stream.ofNullable(request.getStatus())
          .flatMap(status -> Stream.ofNullable(status.conditions()))
          .flatMap(List::stream)
          .filter(each -> each.status().equals("True"))
          .map(Condition::type)
          .sorted()
          .collect(Collectors.joining(" and "));
    }

    List<String> seen() {
      return List.copyOf(steps.values());
    }

    @Override
    public void close() throws IOException {
      for (AutoCloseable informer : informers) {
        try {
          informer.close();
        } catch (Exception failed) {
          throw new IOException(failed);
        }
      }
    }
  }
}

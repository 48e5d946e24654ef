package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.app.Drydock;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.Guardian;
import dev.drydock.testbed.Ports;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo of custom drains as its README tells it, with its components as processes, and what a
 * watch of the cluster sees of it. In containers: SlinkyDrainDemoOnRealKubeletIT.
 */
@ClusterTest
class SlinkyDrainDemoIT {
  private static final String NAME = "demo-it";
  private static final String WORKER = NAME + "-worker";
  private static final String STATE = "dgxc.nvidia.com/nvsentinel-state";
  private static final String REASON = "nodeset.slinky.slurm.net/node-cordon-reason";

  @TempDir private Path temporary;
  private Path folder;
  private Guardian guardian;
  private Map<String, String> environment = Map.of();

  /**
   * The components are processes in the background: they end with this one, even if it is killed.
   */
  @BeforeEach
  void configure() throws IOException {
    folder = Files.createDirectory(temporary.resolve("demo"));
    guardian = Guardian.of(folder);
    Path launcher = folder.resolve("drydock");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        exec "%s/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m -cp "%s" %s "$@"
        """
            .formatted(
                System.getProperty("java.home"),
                System.getProperty("java.class.path"),
                Drydock.class.getName()));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    environment = new HashMap<>(guardian.environment());
    environment.put("DRYDOCK", launcher.toString());
    environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    environment.put("CLUSTER_NAME", NAME);
    environment.put("MODE", "processes");
    environment.put("DEMO_PORT", String.valueOf(Ports.free(10)));
  }

  @AfterEach
  void cleanUp() {
    make("cleanup");
    guardian.close();
  }

  private CommandResult make(String... words) {
    List<String> command =
        new ArrayList<>(List.of("make", "-C", "../demos/local-slinky-drain-demo"));
    command.addAll(List.of(words));
    return CommandResult.run(command, environment, "");
  }

  @Test
  void theStepsOfTheDrainHappenInOrderAndNoneTwice() throws IOException {
    assertThat(make("setup").output())
        .contains("as processes on this machine: as MODE says", "Ready.");
    Path kubeconfig = folder.resolve("state/drydock/demos").resolve(NAME + "/admin.kubeconfig");
    try (KubernetesClient client =
            new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(Files.readString(kubeconfig)))
                .build();
        Recorder recorder = new Recorder(client)) {
      CommandResult early = make("verify-drain", "VERIFY_SECONDS=0");
      assertThat(early.exitCode()).isNotZero();
      assertThat(early.standardOutput())
          .contains("Checks passed: 0/5", "MISSING  Drain successful in the health event's status");

      assertThat(make("inject-health-event").output()).contains("sent: GpuXidError of node");
      CommandResult verified = make("verify-drain", "VERIFY_SECONDS=300");

      assertThat(verified.exitCode()).as(verified.toString()).isZero();
      assertThat(verified.output()).contains("Checks passed: 5/5").doesNotContain("MISSING");
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () ->
                  assertThat(recorder.steps())
                      .containsExactly(
                          "node: cordoned, quarantined",
                          "node: draining",
                          "DrainRequest: created",
                          "node: annotated",
                          "pod: drained",
                          "pod: drained",
                          "pod: gone",
                          "pod: gone",
                          "DrainRequest: Complete, DrainComplete",
                          "node: drain-succeeded",
                          "DrainRequest: deleted"));
      assertThat(make("show-cluster").output())
          .contains("slinky-drainer", "mock-slurm-operator", "node-drainer", "drain-succeeded");
    }
  }

  @Test
  void withoutContainersTheComponentsRunAsProcessesUnlessContainersAreAskedFor()
      throws IOException {
    Path launcher = folder.resolve("refusing");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        case "$*" in *--check) echo "error: --kubelet: no containers today" >&2; exit 1;; esac
        [ "$1" != cluster ]
        """);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    environment.put("DRYDOCK", launcher.toString());

    assertThat(make("setup", "MODE=").standardOutput())
        .contains("as processes on this machine: --kubelet: no containers today")
        .contains("Starting a control plane with two simulated nodes");
    CommandResult asked = make("setup", "MODE=containers");
    assertThat(asked.exitCode()).isNotZero();
    assertThat(asked.standardError()).contains("error: --kubelet: no containers today");
    assertThat(asked.standardOutput()).doesNotContain("Starting");
    assertThat(make("setup", "MODE=docker").standardError())
        .contains("error: MODE=docker: use processes or containers, or leave it out");
  }

  /** Sorts by the version of the cluster, whichever watch is faster. */
  private static final class Recorder implements AutoCloseable {
    private record Step(long version, String text) {}

    private final List<Step> steps = new CopyOnWriteArrayList<>();
    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

    Recorder(KubernetesClient client) {
      informers.add(
          client.nodes().withName(WORKER).inform(new Changes<Node>(_ -> {}, this::node, _ -> {})));
      informers.add(
          client
              .pods()
              .inNamespace("slinky")
              .inform(
                  new Changes<Pod>(
                      _ -> {},
                      (old, pod) -> {
                        if (isDrained(pod) && !isDrained(old)) {
                          add(pod, "pod: drained");
                        }
                      },
                      pod -> add(pod, "pod: gone"))));
      informers.add(
          client
              .resources(DrainRequest.class)
              .inNamespace("nvsentinel")
              .inform(
                  new Changes<DrainRequest>(
                      request -> add(request, "DrainRequest: created"), this::request, _ -> {})));
    }

    private record Changes<T>(Consumer<T> added, BiConsumer<T, T> updated, Consumer<T> deleted)
        implements ResourceEventHandler<T> {
      @Override
      public void onAdd(T object) {
        added.accept(object);
      }

      @Override
      public void onUpdate(T old, T object) {
        updated.accept(old, object);
      }

      @Override
      public void onDelete(T object, boolean unknown) {
        deleted.accept(object);
      }
    }

    private void add(HasMetadata object, String text) {
      steps.add(new Step(Long.parseLong(object.getMetadata().getResourceVersion()), text));
    }

    private static boolean isDrained(Pod pod) {
      return pod.getStatus().getConditions().stream()
          .anyMatch(
              each ->
                  each.getType().equals("SlurmNodeStateDrain") && each.getStatus().equals("True"));
    }

    private void node(Node old, Node node) {
      List<String> changes = new ArrayList<>();
      if (isCordoned(node) && !isCordoned(old)) {
        changes.add("cordoned");
      }
      String state = node.getMetadata().getLabels().getOrDefault(STATE, "");
      if (!state.equals(old.getMetadata().getLabels().getOrDefault(STATE, ""))) {
        changes.add(state);
      }
      if (node.getMetadata().getAnnotations().containsKey(REASON)
          && !old.getMetadata().getAnnotations().containsKey(REASON)) {
        changes.add("annotated");
      }
      if (!changes.isEmpty()) {
        add(node, "node: " + String.join(", ", changes));
      }
    }

    private static boolean isCordoned(Node node) {
      return Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    }

    private void request(DrainRequest old, DrainRequest request) {
      List<String> complete = complete(request);
      if (!complete.equals(complete(old))) {
        add(request, "DrainRequest: " + String.join(", ", complete));
      }
      if (request.isMarkedForDeletion() && !old.isMarkedForDeletion()) {
        add(request, "DrainRequest: deleted");
      }
    }

    private static List<String> complete(DrainRequest request) {
      if (request.getStatus() == null || request.getStatus().conditions() == null) {
        return List.of();
      }
      return request.getStatus().conditions().stream()
          .filter(each -> each.status().equals("True"))
          .map(each -> each.type())
          .sorted()
          .toList();
    }

    List<String> steps() {
      return steps.stream()
          .sorted(Comparator.comparingLong(Step::version))
          .map(Step::text)
          .toList();
    }

    @Override
    public void close() {
      informers.forEach(SharedIndexInformer::close);
    }
  }
}

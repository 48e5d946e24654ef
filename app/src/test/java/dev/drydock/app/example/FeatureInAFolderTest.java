package dev.drydock.app.example;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.DrydockTest;
import dev.drydock.app.operator.Operator;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All of a feature is in its folder and in one line of a services file. */
class FeatureInAFolderTest {
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final SimulatedCluster cluster =
      SimulatedCluster.running(SimulatedCluster.Settings.defaults());
  private final KubernetesClient client;
  private final Path kubeconfig;

  FeatureInAFolderTest(@TempDir Path folder) throws IOException {
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
            .build();
  }

  /** Only here, so that the other tests see the features of the product. */
  @BeforeEach
  void putOnTheClassPath() {
    URL line = requireNonNull(FeatureInAFolderTest.class.getResource("/example/"));
    Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[] {line}, before));
  }

  @AfterEach
  void stop() {
    Thread.currentThread().setContextClassLoader(before);
    client.close();
    cluster.close();
  }

  private String drydock(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    DrydockTest.Outcome outcome = DrydockTest.run(all.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out();
  }

  private void define() {
    String definitions = DrydockTest.run("crds").out();
    assertThat(definitions).contains("name: inspections.example.drydock.dev");
    for (HasMetadata each :
        client
            .load(new ByteArrayInputStream(definitions.getBytes(StandardCharsets.UTF_8)))
            .items()) {
      client.resource(each).create();
    }
  }

  private static Inspection inspection(String node) {
    Inspection inspection = new Inspection();
    inspection.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName("one").build());
    inspection.setSpec(new InspectionSpec(node));
    return inspection;
  }

  /** What the operator has read or written. */
  private static final class AnsweredPaths implements RequestInterceptor {
    private final Set<String> paths = ConcurrentHashMap.newKeySet();

    @Override
    public void before(ApiCall call) {}

    @Override
    public void after(ApiCall call, int code) {
      if (code >= 200 && code < 300) {
        paths.add(call.path());
      }
    }

    boolean contains(String part) {
      return paths.stream().anyMatch(path -> path.contains(part));
    }
  }

  @Test
  void itIsPartOfTheOperatorAndOfAllCommands() {
    assertThat(DrydockTest.run("operator", "--print-config", "--inspections-reason=test").out())
        .contains("inspections:\n  reason: test # --inspections-reason");
    define();
    String node = cluster.addNodes(1, "n", NodeTemplate.DEFAULT).getFirst();
    Inspection inspection = inspection(node);

    try (Operator operator =
        Operator.defaults(client, "default", "test", RequestInterceptor.NONE)) {
      operator.lead();
      client.resource(inspection).create();
      Eventually.inRealTime().until(() -> drydock("holds").contains("inspection/default/one"));

      assertThat(drydock("holds")).contains("looked-at");
      assertThat(drydock("status"))
          .contains("inspected", "someone to delete Inspection default/one");
      assertThat(drydock("history", node))
          .contains("InspectionRequested", "Inspection default/one");

      client.resource(inspection).delete();
      Eventually.inRealTime().until(() -> !drydock("holds").contains("inspection/default/one"));
    }
  }

  @Test
  void itTakesNoNodeOutOfServiceWhileTheCordIsPulled() {
    define();
    List<String> nodes = cluster.addNodes(2, "n", NodeTemplate.DEFAULT);
    drydock("cordon", nodes.getLast(), "--holder", "inspection/default/gone");
    drydock("stop", "--operator-namespace", "default");
    client.resource(inspection(nodes.getFirst())).create();
    AnsweredPaths answered = new AnsweredPaths();

    try (Operator operator = Operator.defaults(client, "default", "test", answered)) {
      operator.lead();
      Eventually.inRealTime().until(() -> answered.contains("/inspections"));
      Eventually.inRealTime().until(() -> answered.contains("drydock-andon"));
      // What it does for Inspections while the cord is pulled: it only releases.
      Eventually.inRealTime().until(() -> !drydock("holds").contains("inspection/default/gone"));
      assertThat(drydock("holds")).doesNotContain("inspection/default/one");

      drydock("resume", "--operator-namespace", "default");
      Eventually.inRealTime().until(() -> drydock("holds").contains("inspection/default/one"));
    }
  }
}

package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.SimulatedCluster.Settings;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeterminismTest {
  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: default}
      spec:
        replicas: 20
        selector: {matchLabels: {app: web}}
        template:
          metadata:
            labels: {app: web}
            annotations: {sim.drydock.dev/ready-after: 7s, sim.drydock.dev/stop-after: 3s}
          spec: {containers: [{name: main, image: one}]}
      """;

  /** All events of a scenario with failures, evictions and a roll-out. */
  private static List<String> story(long seed) {
    List<String> log = new ArrayList<>();
    try (SimulatedCluster cluster =
        SimulatedCluster.stepped(Settings.defaults().withSeed(seed), SteppedCluster.START)) {
      cluster.listen(
          event -> log.add(event.type() + " " + event.resource() + " " + event.object()));
      cluster.addNodes(10, "node-", NodeTemplate.DEFAULT);
      cluster.create(SteppedCluster.yaml(WEB));
      cluster.advance(Duration.ofSeconds(10));
      for (ObjectNode pod : cluster.podsOn("node-3")) {
        cluster.evict("default", JsonTrees.text(pod, "metadata", "name"), null);
      }
      cluster.patch(
          "Node",
          "",
          "node-5",
          "",
          SteppedCluster.yaml(
              "{metadata: {annotations: {'%s': 'true'}}}".formatted(Knob.SILENT.annotation())));
      cluster.advance(Duration.ofMinutes(3));
      cluster.patch(
          "Deployment",
          "default",
          "web",
          "",
          SteppedCluster.yaml("{spec: {template: {metadata: {labels: {version: '2'}}}}}"));
      cluster.advance(Duration.ofMinutes(10));
    }
    return log;
  }

  @Test
  void theSameSeedGivesTheSameStory() {
    assertThat(story(7)).hasSizeGreaterThan(200).isEqualTo(story(7));
  }

  /** Some JDK collections deliberately have a different order in every process. */
  @Test
  void anotherProcessTellsTheSameStory() throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Storyteller.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (InputStream told = other.getInputStream()) {
      String lines = new String(told.readAllBytes(), StandardCharsets.UTF_8);

      assertThat(other.waitFor()).isZero();
      assertThat(lines.lines().toList()).containsAll(story(7));
    } finally {
      other.destroyForcibly();
    }
  }

  /** Prints the events for its parent process. */
  static final class Storyteller {
    private Storyteller() {}

    public static void main(String[] arguments) throws IOException {
      byte[] told = String.join("\n", story(7)).getBytes(StandardCharsets.UTF_8);
      try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
        out.write(told);
      }
    }
  }

  @Test
  void anotherSeedGivesOtherNames() {
    assertThat(story(7)).isNotEqualTo(story(8));
  }
}

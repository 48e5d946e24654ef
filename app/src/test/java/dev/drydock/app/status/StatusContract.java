package dev.drydock.app.status;

import static dev.drydock.app.CommandScene.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.app.CommandScene;
import dev.drydock.app.Drydock;
import dev.drydock.app.DrydockTest.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code drydock status}, whatever the cluster. */
abstract class StatusContract {
  protected CommandScene scene;

  abstract CommandScene newScene();

  @BeforeEach
  void open() {
    scene = newScene();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void nodesThatAreOutAreShownWithWhoAndWhyAndTheRestIsCounted() throws IOException {
    String fine = scene.addNode();
    String held = scene.addNode();
    scene.drydock("cordon", held, "--holder", "team/a", "--reason", "new disk", "--for", "2h");

    Outcome status = scene.drydock("status");
    JsonNode json =
        new ObjectMapper().readTree(scene.drydock("status", fine, held, "-o", "json").out());

    assertThat(status.exitCode()).as(status.err()).isZero();
    assertThat(status.out())
        .contains(held, "team/a to release it (new disk)", " in service")
        .doesNotContain(fine);
    assertThat(json.path("nodes")).hasSize(2);
    assertThat(json.path("nodes").get(1).path("state").asText()).isEqualTo("held");
    assertThat(json.path("nodes").get(1).path("eta").asText()).startsWith("until 20");
    assertThat(json.path("byState").path("in service").asInt()).isEqualTo(1);
    assertThat(scene.drydock("status", "--all").out()).contains(fine, held);
    scene.drydock("uncordon", held, "--holder", "team/a");
    assertThat(scene.drydock("status", held).out()).contains("1 node: 1 in service");
  }

  @Test
  void aMaintenanceShowsWithItsDrainAndWhatHoldsItUp() {
    scene.define();
    String node = scene.addNode();
    String clazz = scene.namespace() + "-class";
    scene.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec: {drain: {builtin: {}}, maintenance: {outside: {}}, validation: {outside: {}}}
        """
            .formatted(clazz));
    scene.create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: lonely, namespace: %s}
        spec: {nodeName: %s, containers: [{name: main, image: none}]}
        """
            .formatted(scene.namespace(), node));
    eventually()
        .until(
            () ->
                scene
                    .client()
                    .pods()
                    .inNamespace(scene.namespace())
                    .withName("lonely")
                    .require()
                    .getStatus()
                    .getPhase(),
            "Running"::equals);
    scene.startOperator();
    scene.drydock("maintain", node, "--id", "fw-17", "--class", clazz, "--no-wait");

    eventually()
        .untilAsserted(
            () ->
                assertThat(scene.drydock("status", node).out())
                    .contains("MaintenanceStarted", "fw-17 (" + clazz + ")", "maintenance")
                    .contains("lonely"));
    scene.drydock("stop", "--reason", "smoke", "--operator-namespace", scene.namespace());
    assertThat(scene.drydock("status", "--operator-namespace", scene.namespace()).out())
        .startsWith("STOPPED: nothing new begins: stopped by user/")
        .contains(": smoke; run 'drydock resume' to go on");
  }

  @Test
  void watchedItTellsWhatChanges() throws InterruptedException {
    String node = scene.addNode();
    StringWriter out = new StringWriter();
    String[] words = {
      "status",
      node,
      "--watch",
      "--kubeconfig",
      scene.kubeconfig().toString(),
      "--operator-namespace",
      scene.namespace()
    };
    CommandLine line = Drydock.commandLine(words);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(new StringWriter()));
    Thread watching = Thread.ofVirtual().start(() -> line.execute(words));
    try {
      eventually().until(() -> out.toString().contains("1 node: 1 in service"));
      scene.drydock("cordon", node, "--holder", "team/a");
      eventually().until(() -> out.toString().contains("node/" + node + " held; held by team/a"));
      scene.drydock("stop", "--reason", "smoke", "--operator-namespace", scene.namespace());
      eventually().until(() -> out.toString().contains("STOPPED: stopped by"));
      scene.drydock("resume", "--operator-namespace", scene.namespace());
      eventually().until(() -> out.toString().contains("resumed\n"));
      scene.drydock("uncordon", node, "--holder", "team/a");
      eventually().until(() -> out.toString().endsWith("node/" + node + " in service\n"));
    } finally {
      watching.interrupt();
      watching.join();
    }
  }

  @Test
  void whatIsMistypedIsNamed() {
    String node = scene.addNode();

    assertThat(scene.drydock("status", node + "x").err())
        .contains("node %1$sx does not exist (did you mean \"%1$s\"?)".formatted(node));
    assertThat(scene.drydock("status", "-l", "no=such").err())
        .isEqualTo("error: no node has the labels no=such\n");
    assertThat(scene.drydock("status", node, "-l", "a=b").exitCode()).isEqualTo(2);
  }
}

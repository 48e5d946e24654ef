package dev.drydock.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.app.Drydock;
import dev.drydock.app.operator.TestOperators;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code drydock status}, whatever the cluster. */
abstract class StatusContract {
  protected CommandFixture fixture;

  abstract CommandFixture newFixture();

  @BeforeEach
  void open() {
    fixture = newFixture();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void nodesThatAreOutAreShownWithWhoAndWhyAndTheRestIsCounted() throws IOException {
    String fine = fixture.addNode();
    String held = fixture.addNode();
    fixture.drydock("cordon", held, "--holder", "team/a", "--reason", "new disk", "--for", "2h");

    CommandOutcome status = fixture.drydock("status");
    JsonNode json =
        new ObjectMapper().readTree(fixture.drydock("status", fine, held, "-o", "json").out());

    assertThat(status.exitCode()).as(status.err()).isZero();
    assertThat(status.out())
        .contains(held, "team/a to release it (new disk)", " in service")
        .doesNotContain(fine);
    assertThat(json.path("nodes")).hasSize(2);
    assertThat(json.path("nodes").get(1).path("state").asText()).isEqualTo("held");
    assertThat(json.path("nodes").get(1).path("eta").asText()).startsWith("until 20");
    assertThat(json.path("byState").path("in service").asInt()).isEqualTo(1);
    assertThat(fixture.drydock("status", "--all").out()).contains(fine, held);
    fixture.drydock("uncordon", held, "--holder", "team/a");
    assertThat(fixture.drydock("status", held).out()).contains("1 node: 1 in service");
  }

  @Test
  void aMaintenanceShowsWithItsDrainAndWhatHoldsItUp() {
    fixture.define();
    String node = fixture.addNode();
    String maintenanceClass = fixture.namespace() + "-class";
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec: {drain: {builtin: {}}, maintenance: {outside: {}}, validation: {outside: {}}}
        """
            .formatted(maintenanceClass));
    fixture.create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: lonely, namespace: %s}
        spec: {nodeName: %s, containers: [{name: main, image: none}]}
        """
            .formatted(fixture.namespace(), node));
    fixture
        .eventually()
        .until(
            () ->
                fixture
                    .client()
                    .pods()
                    .inNamespace(fixture.namespace())
                    .withName("lonely")
                    .require()
                    .getStatus()
                    .getPhase(),
            "Running"::equals);
    TestOperators.lead(fixture);
    fixture.drydock("maintain", node, "--id", "fw-17", "--class", maintenanceClass, "--no-wait");

    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.drydock("status", node).out())
                    .contains(
                        "MaintenanceStarted", "fw-17 (" + maintenanceClass + ")", "maintenance")
                    .contains("lonely"));
    fixture.drydock("stop", "--reason", "smoke", "--operator-namespace", fixture.namespace());
    assertThat(fixture.drydock("status", "--operator-namespace", fixture.namespace()).out())
        .startsWith("STOPPED: nothing new starts: stopped by user/")
        .contains(": smoke; run 'drydock resume' to continue");
  }

  @Test
  void watchedItTellsWhatChanges() throws InterruptedException {
    String node = fixture.addNode();
    StringWriter out = new StringWriter();
    String[] words = {
      "status",
      node,
      "--watch",
      "--kubeconfig",
      fixture.kubeconfig().toString(),
      "--operator-namespace",
      fixture.namespace()
    };
    CommandLine line = Drydock.commandLine(words);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(new StringWriter()));
    Thread watching = Thread.ofVirtual().start(() -> line.execute(words));
    try {
      fixture.eventually().until(() -> out.toString().contains("1 node: 1 in service"));
      fixture.drydock("cordon", node, "--holder", "team/a");
      fixture
          .eventually()
          .until(() -> out.toString().contains("node/" + node + " held; held by team/a"));
      fixture.drydock("stop", "--reason", "smoke", "--operator-namespace", fixture.namespace());
      fixture.eventually().until(() -> out.toString().contains("STOPPED: stopped by"));
      fixture.drydock("resume", "--operator-namespace", fixture.namespace());
      fixture.eventually().until(() -> out.toString().contains("resumed\n"));
      fixture.drydock("uncordon", node, "--holder", "team/a");
      fixture.eventually().until(() -> out.toString().endsWith("node/" + node + " in service\n"));
    } finally {
      watching.interrupt();
      watching.join();
    }
  }

  @Test
  void whatIsMistypedIsNamed() {
    String node = fixture.addNode();

    assertThat(fixture.drydock("status", node + "x").err())
        .contains("node %1$sx does not exist (did you mean \"%1$s\"?)".formatted(node));
    assertThat(fixture.drydock("status", "-l", "no=such").err())
        .isEqualTo("error: no node has the labels no=such; see: kubectl get nodes --show-labels\n");
    assertThat(fixture.drydock("status", node, "-l", "a=b").exitCode()).isEqualTo(2);
  }
}

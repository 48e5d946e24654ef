package dev.drydock.maintenance.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code drydock maintain}, whatever the cluster. */
abstract class MaintainContract {
  private static final String GOOD_JOB = job("sim.drydock.dev/complete-after: 100ms", "");
  private static final String BAD_JOB = job("a: b", "activeDeadlineSeconds: 1,");

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

  private static String job(String annotation, String spec) {
    return "job: {template: {spec: {%s template: {metadata: {annotations: {%s}}, spec: %s}}}}"
        .formatted(spec, annotation, "{containers: [{name: main, image: none}]}");
  }

  String maintenanceClass(String maintenance, String validation) {
    String name = fixture.namespace() + "-class";
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec:
          drain: {builtin: {policy: {force: true}}}
          maintenance: {%s}
          validation: {%s}
        """
            .formatted(name, maintenance, validation));
    return name;
  }

  private Resource<NotifyMaintenance> maintenance(String name) {
    return fixture
        .client()
        .resources(NotifyMaintenance.class)
        .inNamespace(fixture.namespace())
        .withName(name);
  }

  private CompletableFuture<CommandOutcome> inBackground(String... words) {
    return CompletableFuture.supplyAsync(
        () -> fixture.drydock(words), task -> Thread.ofVirtual().start(task));
  }

  private static CommandOutcome join(CompletableFuture<CommandOutcome> command) throws Exception {
    return command.get(3, TimeUnit.MINUTES);
  }

  @Test
  void seesNodesThroughAndTellsEveryStep() {
    fixture.define();
    String one = fixture.addNode();
    String two = fixture.addNode();
    String maintenanceClass = maintenanceClass(GOOD_JOB, GOOD_JOB);
    var _ = CommandOperator.start(fixture);

    CommandOutcome outcome =
        fixture.drydock("maintain", one, two, "--class", maintenanceClass, "--id", "fw-17");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines())
        .startsWith(
            "notifymaintenance.ngn2.nvidia.com/fw-17-" + one + " created",
            "notifymaintenance.ngn2.nvidia.com/fw-17-" + two + " created")
        .contains("node/" + one + " back in production", "node/" + two + " back in production")
        .hasSize(4);
    assertThat(outcome.err())
        .contains(
            "node/" + one + " MaintenanceStarted: ",
            "node/" + one + " ObjectsDrained: ",
            "node/" + one + " Validating: ");
    assertThat(fixture.isCordoned(one) || fixture.isCordoned(two)).isFalse();
  }

  @Test
  void aNodeThatFailsItsValidationFailsTheCommandWithTheReason() {
    fixture.define();
    String node = fixture.addNode();
    String maintenanceClass = maintenanceClass(GOOD_JOB, BAD_JOB);
    var _ = CommandOperator.start(fixture);

    CommandOutcome outcome =
        fixture.drydock("maintain", node, "--class", maintenanceClass, "--id", "fw-17");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines().toList().getLast())
        .startsWith("error: node " + node + " is not fit for production: ")
        .contains("Exceeded", "kubectl delete notifymaintenance -n " + fixture.namespace());
    assertThat(outcome.err()).contains("node/" + node + " the end of the log:\n  ");
    assertThat(fixture.isCordoned(node)).isTrue();
  }

  @Test
  void givenAgainItFindsWhatIsThere() {
    fixture.define();
    String node = fixture.addNode();

    String created = fixture.drydock("maintain", node, "--id", "a", "--no-wait").out();
    CommandOutcome again = fixture.drydock("maintain", node, "--id", "a", "--wait=false");
    CommandOutcome other = fixture.drydock("maintain", node, "--id", "a", "--type", "unplanned");

    assertThat(created).isEqualTo("notifymaintenance.ngn2.nvidia.com/a-" + node + " created\n");
    assertThat(again.exitCode()).isZero();
    assertThat(again.out())
        .isEqualTo("notifymaintenance.ngn2.nvidia.com/a-" + node + " already there\n");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err())
        .contains("already exists, but its maintenanceType is planned; use another --id");
  }

  @Test
  void whatIsMadeCanBePrintedAndTriedOut() throws IOException {
    fixture.define();
    String node = fixture.addNode();

    CommandOutcome yaml =
        fixture.drydock("maintain", node, "--id", "17", "--owner", "me", "--dry-run", "-o", "yaml");
    CommandOutcome server = fixture.drydock("maintain", node, "--id", "17", "--dry-run=server");

    JsonNode manifest = new YAMLMapper().readTree(yaml.out());
    assertThat(manifest.path("spec").path("maintenanceID").isTextual()).isTrue();
    assertThat(manifest.path("spec").path("owner").asText()).isEqualTo("me");
    assertThat(server.out())
        .isEqualTo("notifymaintenance.ngn2.nvidia.com/17-" + node + " created (server dry run)\n");
    assertThat(maintenance("17-" + node).get()).isNull();
    assertThat(fixture.drydock("maintain", node, "--id", "17", "--no-wait", "-o", "name").out())
        .isEqualTo("notifymaintenance.ngn2.nvidia.com/17-" + node + "\n");
    JsonNode made =
        new ObjectMapper()
            .readTree(
                fixture
                    .drydock("maintain", node, "--id", "17", "--wait=false", "-o", "json")
                    .out());
    assertThat(made.path("metadata").path("uid").asText()).isNotEmpty();
  }

  @Test
  void whatIsMistypedIsNamedBeforeAnythingIsMade() {
    fixture.define();
    String node = fixture.addNode();
    String maintenanceClass = maintenanceClass("outside: {}", "outside: {}");

    CommandOutcome wrongNode = fixture.drydock("maintain", node, node + "x", "--id", "a");
    CommandOutcome wrongClass =
        fixture.drydock("maintain", node, "--id", "a", "--class", maintenanceClass + "s");

    assertThat(wrongNode.exitCode()).isEqualTo(1);
    assertThat(wrongNode.err())
        .isEqualTo(
            "error: node %1$sx does not exist (did you mean \"%1$s\"?); see: kubectl get nodes\n"
                .formatted(node));
    assertThat(wrongClass.err())
        .isEqualTo(
            "error: MaintenanceClass %1$ss does not exist (did you mean \"%1$s\"?); see: kubectl get maintenanceclasses\n"
                .formatted(maintenanceClass));
    assertThat(maintenance("a-" + node).get()).isNull();
    assertThat(fixture.drydock("maintain", node).exitCode()).as("no --id").isEqualTo(2);
    assertThat(fixture.drydock("maintain", node, "--id", "-").exitCode()).isEqualTo(2);
  }

  @Test
  void whenNobodyServesItThatIsSaid() {
    fixture.define();
    String node = fixture.addNode();

    CommandOutcome outcome = fixture.drydock("maintain", node, "--id", "a", "--timeout", "100ms");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith(
            "no operator has taken up NotifyMaintenance a-%s yet; is 'drydock operator' running?"
                .formatted(node))
        .contains("error: not back after 0.1s: node/" + node)
        .contains("kubectl delete notifymaintenance -n " + fixture.namespace() + " a-" + node);
    assertThat(maintenance("a-" + node).get()).isNotNull();
  }

  @Test
  void whoeverDeletesItEndsTheCommand() throws Exception {
    fixture.define();
    String node = fixture.addNode();
    CompletableFuture<CommandOutcome> command = inBackground("maintain", node, "--id", "a");
    fixture.eventually().until(() -> maintenance("a-" + node).get() != null);

    maintenance("a-" + node).delete();

    CommandOutcome outcome = join(command);
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines().toList().getLast())
        .contains("was deleted before it began; nothing was done to the node");
  }

  @Test
  void waitsWhileTheAndonCordIsPulled() throws Exception {
    fixture.define();
    String node = fixture.addNode();
    String maintenanceClass = maintenanceClass(GOOD_JOB, "none: {}");
    DrainEngine operator = CommandOperator.start(fixture);
    fixture.drydock("stop", "--reason", "smoke", "--operator-namespace", fixture.namespace());
    // cord and maintenances come by two watches
    fixture
        .eventually()
        .until(() -> operator.stopped().filter(why -> why.startsWith("stopped by")).isPresent());
    CompletableFuture<CommandOutcome> command =
        inBackground("maintain", node, "--id", "a", "--class", maintenanceClass);
    fixture
        .eventually()
        .until(
            () ->
                Optional.ofNullable(maintenance("a-" + node).get())
                    .map(NotifyMaintenance::getStatus)
                    .map(status -> String.valueOf(status.waitingFor()))
                    .orElse(""),
            why -> why.startsWith("stopped by"));
    assertThat(fixture.isCordoned(node)).isFalse();

    fixture.drydock("resume", "--operator-namespace", fixture.namespace());

    CommandOutcome outcome = join(command);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.err()).contains("node/" + node + " waits: stopped by user/");
  }

  @Test
  void aNodeThatWasNotProvedFitIsReturnedOnlyOnPurposeAndTheExitCodeTells() {
    fixture.define();
    String node = fixture.addNode();
    fixture.create(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: unfit, namespace: %s}
        spec: {nodeObject: %s, maintenanceID: unfit, maintenanceType: planned}
        """
            .formatted(fixture.namespace(), node));
    var _ =
        fixture
            .client()
            .genericKubernetesResources("ngn2.nvidia.com/v1alpha1", "NotifyMaintenance")
            .inNamespace(fixture.namespace())
            .withName("unfit")
            .editStatus(
                seen -> {
                  seen.setAdditionalProperty(
                      "status", Map.of("maintenanceStatus", "MaintenanceIncomplete"));
                  return seen;
                });
    String holder = "notifymaintenance/" + fixture.namespace() + "/unfit";
    assertThat(fixture.drydock("cordon", node, "--holder", holder).exitCode()).isZero();

    assertThat(fixture.drydock("uncordon", node).exitCode()).as("still held").isEqualTo(1);
    CommandOutcome refused = fixture.drydock("uncordon", node, "--force");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("was not proved fit: " + holder, "--yes");
    assertThat(fixture.isCordoned(node)).isTrue();

    assertThat(fixture.drydock("uncordon", node, "--force", "--yes").exitCode()).isZero();
    assertThat(fixture.isCordoned(node)).isFalse();
  }
}

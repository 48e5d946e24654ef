package dev.drydock.maintenance.command.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.maintenance.command.CommandOperator;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code drydock campaign}, whatever the cluster. */
abstract class CampaignCommandContract {
  private static final String GOOD_JOB =
      "job: {template: {spec: {template: {metadata: {annotations: "
          + "{\"sim.drydock.dev/complete-after\": 100ms}}, spec: "
          + "{containers: [{name: main, image: none}]}}}}}";

  private CommandFixture fixture;
  private String name;
  private String maintenanceClass;

  abstract CommandFixture newFixture();

  @BeforeEach
  void open() {
    fixture = newFixture();
    fixture.define();
    name = fixture.namespace() + "-fw";
    maintenanceClass = fixture.namespace() + "-class";
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec: {drain: {builtin: {}}, maintenance: {%s}, validation: {none: {}}}
        """
            .formatted(maintenanceClass, GOOD_JOB));
  }

  @AfterEach
  void close() {
    fixture.client().resources(MaintenanceCampaign.class).withName(name).delete();
    fixture.close();
  }

  private List<String> nodes(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String node = fixture.addNode();
      fixture
          .client()
          .nodes()
          .withName(node)
          .patch(
              PatchContext.of(PatchType.JSON_MERGE), // its kubelet writes at the same time
              "{\"metadata\":{\"labels\":{\"pool\":\"%s\"}}}".formatted(fixture.namespace()));
      names.add(node);
    }
    return names;
  }

  private CommandOutcome campaign(String verb, String... more) {
    return fixture.drydock(
        Stream.concat(Stream.of("campaign", verb, name), Stream.of(more)).toArray(String[]::new));
  }

  /** With the test's nodes, one at a time. */
  private CommandOutcome withFlags(String verb, String... more) {
    return campaign(
        verb,
        Stream.concat(
                Stream.of(
                    "--class",
                    maintenanceClass,
                    "-l",
                    "pool=" + fixture.namespace(),
                    "--budget",
                    "pool=1"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private CommandOutcome plan(String... more) {
    return withFlags(
        "plan",
        Stream.concat(Stream.of("--operator-namespace", fixture.namespace()), Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void aPlanShowsOrderTimesAndBudgetsAndTouchesNothing() throws IOException {
    List<String> nodes = nodes(2);

    CommandOutcome plan = plan("--work-time", "40m", "--order", "name");
    JsonNode json = new ObjectMapper().readTree(plan("--work-time", "40m", "-o", "json").out());

    assertThat(plan.exitCode()).as(plan.err()).isZero();
    assertThat(plan.out())
        .containsSubsequence("LEAVES", nodes.get(0), "now", nodes.get(1), "in 40m")
        .contains("pool=" + fixture.namespace() + " 1 of 1")
        .contains("2 nodes, all back in 80m")
        .contains("if no node fails, and each takes 40m once it is empty");
    assertThat(json.path("steps")).hasSize(2);
    assertThat(fixture.client().resources(MaintenanceCampaign.class).withName(name).get()).isNull();
    nodes.forEach(node -> assertThat(fixture.isCordoned(node)).isFalse());
  }

  @Test
  void isCreatedApprovedFollowedAndDone() {
    List<String> nodes = nodes(2);
    var _ = CommandOperator.start(fixture);

    CommandOutcome created = withFlags("create", "--approval");
    assertThat(created.exitCode()).as(created.err()).isZero();
    assertThat(created.out()).contains(name + " created");
    assertThat(withFlags("create").err()).contains("already exists");
    fixture.eventually().until(() -> campaign("status").out().contains("AwaitingApproval"));
    assertThat(campaign("status").out())
        .contains("waits: waiting for approval: drydock campaign approve " + name);

    assertThat(campaign("approve", "--by", "kim").out()).contains(name + " approved by kim");
    CommandOutcome followed = campaign("status", "--watch");

    assertThat(followed.exitCode()).isZero();
    assertThat(followed.out()).contains("2 of 2 nodes done").contains("Completed");
    nodes.forEach(node -> assertThat(fixture.isCordoned(node)).isFalse());
    assertThat(fixture.drydock("campaign", "status").out())
        .contains("NAME", "PHASE", name, maintenanceClass, "Completed");
  }

  @Test
  void isPausedResumedAndStopped() {
    nodes(1);
    var _ = CommandOperator.start(fixture);
    withFlags("create", "--paused");
    fixture.eventually().until(() -> campaign("status").out().contains("Paused"));

    assertThat(campaign("resume").out()).contains(name + " resumed");
    assertThat(campaign("resume").err()).contains(name + " is not paused");
    assertThat(campaign("pause").out()).contains(name + " paused");
    assertThat(campaign("stop").out()).contains(name + " stopped");
    fixture.eventually().until(() -> campaign("status").out().contains("Stopped"));
    assertThat(campaign("stop").exitCode()).isZero();
    assertThat(campaign("resume").err()).contains("was stopped, which cannot be taken back");
    assertThat(fixture.drydock("campaign", "pause", name + "x").err())
        .contains("does not exist (did you mean \"" + name + "\"?)");
  }

  @Test
  void mistakesAreToldWithTheirFieldAndNothingIsMade() {
    assertUsage(campaign("create"), "--class is missing");
    assertUsage(campaign("create", "--class", maintenanceClass), "which nodes? Give --selector");
    assertUsage(withFlags("create", "--all"), "--all and --selector exclude each other");
    CommandOutcome wrongClass = campaign("create", "--all", "--class", maintenanceClass + "x");
    assertThat(wrongClass.exitCode()).as("as of any command that names what is not there").isOne();
    assertThat(wrongClass.err())
        .contains(
            "MaintenanceClass %1$sx does not exist (did you mean \"%1$s\"?)"
                .formatted(maintenanceClass));
    assertUsage(withFlags("create", "--budget", "0"), "0 never lets a node leave");
    assertUsage(withFlags("create", "--window", "nightly"), "--window: \"nightly\" should be like");
    assertUsage(withFlags("create", "--window", "0 99 * * * for 1h"), "spec.windows[0].schedule");
    assertUsage(withFlags("create", "--window", "0 0 30 2 * for 1h"), "opens within five years");
    assertUsage(withFlags("create", "--canary", "few"), "--canary: \"few\" should be like 2 or 5%");
    assertUsage(withFlags("create", "--canary-soak", "1h"), "--canary-soak needs --canary");
    assertUsage(withFlags("create", "--batches", "x"), "--batches: \"x\" should be like");
    assertThat(campaign("plan").err()).contains(name + " does not exist");
    assertThat(fixture.client().resources(MaintenanceCampaign.class).withName(name).get()).isNull();
  }

  private static void assertUsage(CommandOutcome outcome, String words) {
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err()).contains(words);
  }

  @Test
  void aSelectorThatMatchesNoNodeIsWarnedAbout() {
    CommandOutcome created =
        campaign("create", "--class", maintenanceClass, "-l", "pool=empty", "-o", "name");

    assertThat(created.exitCode()).isZero();
    assertThat(created.out()).isEqualTo("maintenancecampaign.drydock.dev/" + name + "\n");
    assertThat(created.err())
        .isEqualTo(
            "Warning: no node matches --selector \"pool=empty\"; the campaign waits until one does\n");
    assertThat(fixture.client().resources(MaintenanceCampaign.class).withName(name).get())
        .isNotNull();
  }

  @Test
  void howManyNodesAndHowManyAtATimeIsSaid() {
    nodes(2);

    assertThat(withFlags("create", "--dry-run").out())
        .contains("2 nodes match; out of service at a time: at most 1 of those with the same pool");
    assertThat(
            campaign(
                    "create",
                    "--class",
                    maintenanceClass,
                    "-l",
                    "pool=" + fixture.namespace(),
                    "--dry-run")
                .out())
        .contains("2 nodes match; out of service at a time: at most 1");
  }

  @Test
  void aSelectorThatMatchesIsNot() {
    nodes(1);

    assertThat(withFlags("create", "--dry-run").err()).isEmpty();
  }

  @Test
  void namesAreCompletedFromTheCluster() {
    nodes(1);
    withFlags("create", "--paused");

    assertThat(complete("campaign", "resume", name.substring(0, 3))).contains(name);
    assertThat(complete("maintain", "--class", maintenanceClass.substring(0, 3)))
        .contains(maintenanceClass);
    assertThat(complete("campaign", "create", "x", "--class="))
        .contains("--class=" + maintenanceClass);
  }

  private List<String> complete(String... words) {
    String[] before = {"__complete", "--kubeconfig", fixture.kubeconfig().toString()};
    return CommandOutcome.run(
            Stream.concat(Stream.of(before), Stream.of(words)).toArray(String[]::new))
        .out()
        .lines()
        .toList();
  }

  @Test
  void maintenancesAreMadeWhereTheManifestsAllowTheirJobs() {
    var _ =
        fixture
            .client()
            .resource(
                new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("drydock-maintenance")
                    .endMetadata()
                    .build())
            .serverSideApply();
    CommandOutcome without =
        CommandOutcome.run(
            "campaign",
            "create",
            name,
            "--kubeconfig",
            fixture.kubeconfig().toString(),
            "--class",
            maintenanceClass,
            "--all",
            "--dry-run",
            "-o",
            "yaml");

    assertThat(without.out()).as(without.err()).contains("namespace: drydock-maintenance");
    assertThat(withFlags("create", "--dry-run", "-o", "yaml").out())
        .contains("namespace: " + fixture.namespace());
  }

  @Test
  void aDryRunPrintsWhatWouldBeMade() {
    CommandOutcome dry =
        withFlags(
            "create",
            "--dry-run",
            "-o",
            "yaml",
            "--canary",
            "5%",
            "--batches",
            "2x1.5..32",
            "--window",
            "0 22 * * 1-5 for 7h in Europe/Berlin");

    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("kind: MaintenanceCampaign", "percent: 5", "growth: 1.5", "max: 32")
        .contains("timeZone: Europe/Berlin", "duration: 7h", "operator: In");
    assertThat(fixture.client().resources(MaintenanceCampaign.class).withName(name).get()).isNull();
  }
}

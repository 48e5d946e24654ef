package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a tenant makes in a namespace of its own, and labels as ours, is no evidence of anything.
 */
class ForgedEvidenceTest {
  private static final String NODE = "a-1";

  private final RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of());

  @BeforeEach
  void open() {
    fixture.create(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: tenant}
        """);
    String quick = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 20ms", "");
    String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 30s", "");
    fixture.maintenanceClass("slow-proof", "builtin: {policy: {force: true}}", quick, slow);
    fixture.maintenanceClass("stuck-drain", "builtin: {}", quick, quick);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private NotifyMaintenanceObject find(String name) {
    return fixture.witness.maintenances().stream()
        .filter(each -> each.facts().identity().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void awaitWait(String name, String words) {
    fixture
        .eventually()
        .until(() -> Fields.text(find(name).status(), "waitingFor").contains(words));
  }

  private void forgeJob(String maintenance, String purpose, String status) {
    fixture.create(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: forged
          namespace: tenant
          labels: {drydock.dev/maintenance: "%s", drydock.dev/purpose: %s, drydock.dev/attempt: "2"}
          annotations: {drydock.dev/node: %s}
        spec:
          template:
            spec: {restartPolicy: Never, nodeName: spare-1, containers: [{name: main, image: none}]}
        """
            .formatted(maintenance, purpose, NODE));
    if (!status.isEmpty()) {
      assertThat(
              fixture
                  .cluster
                  .patch("Job", "tenant", "forged", "status", RandomWalkFixture.yaml(status))
                  .isSuccess())
          .isTrue();
    }
  }

  @Test
  void aForgedValidationDoesNotReturnTheNode() {
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("slow-proof"));
      fixture.eventually().until(() -> find("m").facts().state() == MaintenanceState.VALIDATING);
      awaitWait("m", "the validation Job");
      forgeJob(
          find("m").uid(),
          "proof",
          "{status: {conditions: [{type: Complete, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}");
      fixture.pause(5_000);
      assertThat(find("m").facts().state()).isEqualTo(MaintenanceState.VALIDATING);
      assertThat(find("m").facts().deleted()).as("while the real validation runs").isFalse();
      fixture.eventually().until(() -> fixture.witness.ended.contains("m"));
    }
  }

  @Test
  void anAnnotationDoesNotStandInForTheStepsOfTheClass() {
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("slow-proof"));
      fixture.patch(
          "NotifyMaintenance",
          "m",
          "{metadata: {annotations: {maintenance/readyForMaintenance: 'true',"
              + " maintenance/maintenanceClient: complete, maintenance/validationClient: validated}}}");
      awaitWait("m", "the validation Job");
      fixture.patch(
          "NotifyMaintenance",
          "m",
          "{metadata: {annotations: {maintenance/validationClient: validated}}}");
      fixture.pause(5_000);
      assertThat(find("m").facts().state()).isEqualTo(MaintenanceState.VALIDATING);
      assertThat(find("m").facts().deleted()).as("while the validation runs").isFalse();
      assertThat(find("m").facts().annotations())
          .as("a claim that is not so is removed")
          .doesNotContainEntry("maintenance/validationClient", "validated");
      fixture.eventually().until(() -> fixture.witness.ended.contains("m"));
    }
  }

  @Test
  void theMarkOfADeletionMeansNothingOnAnObjectThatIsNotDeleted() {
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("slow-proof"));
      fixture.patch(
          "NotifyMaintenance",
          "m",
          "{metadata: {annotations: {maintenance.ngn2.nvidia.com/terminated: ''}}}");
      fixture.eventually().until(() -> fixture.witness.ended.contains("m"));
    }
  }

  @Test
  void aForgedJobDoesNotKeepANodeBusy() {
    forgeJob("no-such-maintenance", "work", "");
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("all-well"));
      fixture.eventually().until(() -> fixture.witness.ended.contains("m"));
    }
  }

  @Test
  void aForgedDrainDoesNotStandInForTheRealOne() {
    fixture.stopped = Optional.of("the cord is pulled");
    try (Operator operator = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("stuck-drain"));
      awaitWait("m", "the cord is pulled");
      fixture.create(
          """
          apiVersion: nvsentinel.nvidia.com/v1alpha1
          kind: DrainRequest
          metadata:
            name: m
            namespace: tenant
            labels: {drydock.dev/maintenance: "%s"}
            annotations: {drydock.dev/node: %s}
          spec: {nodeName: spare-1, drainer: nobody, reason: forged}
          """
              .formatted(find("m").uid(), NODE));
      assertThat(
              fixture
                  .cluster
                  .patch(
                      "DrainRequest",
                      "tenant",
                      "m",
                      "status",
                      RandomWalkFixture.yaml(
                          "{status: {conditions: [{type: DrainComplete, status: 'True', reason: Done, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}"))
                  .isSuccess())
          .isTrue();
      fixture.stopped = Optional.empty();
      operator.resync();
      awaitWait("m", "DrainRequest m: ");
      assertThat(find("m").facts().state()).isEqualTo(MaintenanceState.STARTED);
    }
  }

  private void forgeDrainUnderOurName(String ownerKind, String node) {
    fixture.create(
        """
        apiVersion: nvsentinel.nvidia.com/v1alpha1
        kind: DrainRequest
        metadata:
          name: m
          namespace: default
          labels: {drydock.dev/maintenance: "%1$s"}
          annotations: {drydock.dev/node: a-1}
          ownerReferences: [{apiVersion: example.com/v1, kind: %2$s, name: m, uid: "%1$s"}]
        spec: {nodeName: %3$s, drainer: builtin, reason: forged}
        """
            .formatted(find("m").uid(), ownerKind, node));
    var _ =
        fixture.cluster.patch(
            "DrainRequest",
            "default",
            "m",
            "status",
            RandomWalkFixture.yaml(
                "{status: {conditions: [{type: DrainComplete, status: 'True', reason: Done, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}"));
  }

  @Test
  void aDrainThatAnotherKindOfOwnerHasIsNotOurs() {
    fixture.stopped = Optional.of("the cord is pulled");
    try (Operator operator = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("stuck-drain"));
      awaitWait("m", "the cord is pulled");
      forgeDrainUnderOurName("Foo", NODE);
      fixture.stopped = Optional.empty();
      operator.resync();
      fixture.pause(5_000);
      assertThat(find("m").facts().state()).isEqualTo(MaintenanceState.STARTED);
    }
  }

  @Test
  void aDrainOfAnotherNodeIsNamedAsTheReasonOfTheWait() {
    fixture.stopped = Optional.of("the cord is pulled");
    try (Operator operator = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("stuck-drain"));
      awaitWait("m", "the cord is pulled");
      forgeDrainUnderOurName("NotifyMaintenance", "spare-1");
      fixture.stopped = Optional.empty();
      operator.resync();
      awaitWait("m", "DrainRequest m asks for another drain than the class");
      assertThat(find("m").facts().state()).isEqualTo(MaintenanceState.STARTED);
    }
  }

  /** The tenant was first; the real Job cannot be created, and people are told why. */
  @Test
  void aJobThatIsNotOursUnderOurNameIsNamedAsTheReasonOfTheWait() {
    try (Operator _ = fixture.process()) {
      fixture.maintenanceClass("manual", "outside: {}", "outside: {}", "outside: {}");
      String quick = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 20ms", "");
      fixture.maintenanceClass("later", "outside: {}", quick, "none: {}");
      fixture.maintenance("m", NODE, Optional.of("later"));
      fixture.eventually().until(() -> find("m").facts().state() == MaintenanceState.STARTED);
      String name = "m-work-1-" + find("m").uid().substring(0, 5);
      fixture.create(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: %s, namespace: default}
          spec:
            template:
              spec: {restartPolicy: Never, nodeName: spare-1, containers: [{name: main, image: none}]}
          """
              .formatted(name));
      fixture.patch(
          "NotifyMaintenance",
          "m",
          "{metadata: {annotations: {maintenance/readyForMaintenance: 'true'}}}");
      awaitWait("m", "Job default/" + name);
      assertThat(find("m").facts().state()).isEqualTo(MaintenanceState.DRAINED);
      assertThat(fixture.cluster.delete("Job", "default", name, null).isSuccess()).isTrue();
      fixture.eventually().until(() -> fixture.witness.ended.contains("m"));
    }
  }
}

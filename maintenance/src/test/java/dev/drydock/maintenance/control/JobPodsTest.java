package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.ClassAutomationStep.Run;
import dev.drydock.sim.fault.FaultPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a Job's pods tell: why they do not run, and what they wrote last. */
class JobPodsTest {
  private static final String NODE = "a-1";
  private static final Run FIRST = new Run(Purpose.WORK, 1);

  private static NotifyMaintenanceObject find(RandomWalkFixture fixture) {
    return fixture.witness.maintenances().getFirst();
  }

  private static String inTheWay(String status) {
    try {
      // As it is read from the server, which leaves out what no decision uses.
      String pod = "{\"status\": %s}".formatted(RandomWalkFixture.yaml(status));
      return JobPods.inTheWay(Json.read(pod).path("status"));
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  @Test
  void aPodSaysWhyItDoesNotRun() {
    assertThat(
            inTheWay(
                "{containerStatuses: [{name: main, state: {waiting: {reason: ImagePullBackOff, message: no such image}}}]}"))
        .isEqualTo("ImagePullBackOff: no such image");
    assertThat(
            inTheWay(
                "{conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: no room}]}"))
        .isEqualTo("Unschedulable: no room");
    assertThat(inTheWay("{phase: Failed, reason: OutOfcpu}")).isEqualTo("OutOfcpu");
    assertThat(
            inTheWay(
                "{phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: ContainerCreating}}}]}"))
        .isEmpty();
    assertThat(inTheWay("{phase: Running, containerStatuses: [{state: {running: {}}}]}")).isEmpty();
  }

  /** Of a pod that could not be created only an Event tells. */
  @Test
  void aJobWhosePodsCannotBeCreatedNamesTheReasonOfTheWait() {
    try (RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of())) {
      String job = RandomWalkFixture.job("a: b", "suspend: true,");
      fixture.maintenanceClass("podless", "builtin: {policy: {force: true}}", job, "none: {}");
      try (Operator _ = fixture.process()) {
        fixture.maintenance("m", NODE, Optional.of("podless"));
        String name = JobTemplate.name(find(fixture).facts().identity(), FIRST);
        fixture.eventually().until(() -> fixture.cluster.find("Job", "default", name) != null);
        String uid =
            Objects.requireNonNull(fixture.cluster.find("Job", "default", name))
                .at("/metadata/uid")
                .asText();
        fixture.create(
            """
            apiVersion: v1
            kind: Event
            metadata: {name: refused, namespace: default}
            type: Warning
            reason: FailedCreate
            message: 'Error creating: pods "%s-x" is forbidden: exceeded quota'
            involvedObject: {apiVersion: batch/v1, kind: Job, namespace: default, name: %s, uid: "%s"}
            """
                .formatted(name, name, uid));
        fixture
            .eventually()
            .until(
                () ->
                    Fields.text(find(fixture).status(), "waitingFor")
                        .contains("FailedCreate: Error creating: pods"));
        assertThat(Fields.text(find(fixture).status(), "waitingFor"))
            .contains(name, "exceeded quota");
      }
    }
  }

  @Test
  void aLogIsBoundedInLinesAndBytes() {
    String line = "x".repeat(10_000);
    List<String> many = IntStream.range(0, 100).mapToObj(i -> "line " + i).toList();

    assertThat(JobPods.bounded(String.join("\n", many)))
        .hasSize(20)
        .startsWith("line 80")
        .endsWith("line 99");
    assertThat(JobPods.bounded(line + "\nthe last line"))
        .satisfiesExactly(
            first -> assertThat(first).hasSize(500).endsWith("..."),
            last -> assertThat(last).isEqualTo("the last line"));
    assertThat(JobPods.bounded((line + "\n").repeat(100)).stream().mapToInt(String::length).sum())
        .isLessThanOrEqualTo(8 * 1024);
  }

  @Test
  void aReportThatTheServerRefusesIsCutAndTheStateMovesOn() {
    try (RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of())) {
      fixture.onCall =
          call -> {
            String body = call.body();
            if (body != null && body.contains("lastLogLines")) {
              throw new ApiFailure(413, "the object is too large");
            }
          };
      try (Operator _ = fixture.process()) {
        fixture.maintenance("m", NODE, Optional.of("fails-work"));
        fixture
            .eventually()
            .until(() -> find(fixture).facts().state() == MaintenanceState.INCOMPLETE);
        assertThat(find(fixture).status().path("history").findValuesAsText("message"))
            .anySatisfy(message -> assertThat(message).contains("Exceeded"));
      }
    }
  }
}

package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a Job's pods tell: why they do not run, and what they wrote last. */
class JobPodsTest {
  private static final String NODE = "a-1";

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

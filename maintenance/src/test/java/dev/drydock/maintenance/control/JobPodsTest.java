package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
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

  private static void awaitWait(RandomWalkFixture fixture, String words) {
    fixture
        .eventually()
        .until(() -> Fields.text(find(fixture).status(), "waitingFor").contains(words));
  }

  @Test
  void aPodThatDoesNotRunIsNamedAsTheReasonOfTheWait() {
    try (RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of());
        Operator _ = fixture.process()) {
      String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 1h", "");
      fixture.maintenanceClass("slow", "builtin: {policy: {force: true}}", slow, "none: {}");
      fixture.maintenance("m", NODE, Optional.of("slow"));
      awaitWait(fixture, "the maintenance Job");
      fixture.pause(1_000); // until the kubelet has said all it has to say
      String name = "";
      for (JsonNode pod : fixture.cluster.list("Pod", "default", "").body().path("items")) {
        boolean ofJob = pod.at("/metadata/ownerReferences/0/kind").asText().equals("Job");
        name = ofJob ? pod.at("/metadata/name").asText() : name;
      }
      assertThat(
              fixture
                  .cluster
                  .patch(
                      "Pod",
                      "default",
                      name,
                      "status",
                      RandomWalkFixture.yaml(
                          "{status: {containerStatuses: [{name: main, state: {waiting: "
                              + "{reason: ImagePullBackOff, message: no such image}}}]}}"))
                  .isSuccess())
          .isTrue();
      awaitWait(fixture, "whose pod does not run: ImagePullBackOff: no such image");
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

package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two maintenances with a class on one node. */
class MaintenanceTurnsTest {
  private static final String NODE = "a-1";

  private final RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of());

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

  private boolean waitsFor(String name, String words) {
    return Fields.text(find(name).status(), "waitingFor").contains(words);
  }

  /** Whoever asks for the drain, and past its deadline: the Job goes on, and the drain says so. */
  @Test
  void aDrainByAnybodyLeavesTheJobAlone() {
    String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 20s", "");
    fixture.maintenanceClass("slow", "builtin: {policy: {force: true}}", slow, "none: {}");
    try (Operator _ = fixture.process()) {
      fixture.maintenance("first", NODE, Optional.of("slow"));
      fixture.eventually().until(() -> waitsFor("first", "the maintenance Job"));
      fixture.eventually().until(() -> !workers().isEmpty());
      String worker = workers().getFirst();
      fixture.create(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: feigned, namespace: default, labels: {drydock.dev/maintenance: "%s"}}
          spec: {nodeName: %s, terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
          ---
          apiVersion: nvsentinel.nvidia.com/v1alpha1
          kind: DrainRequest
          metadata: {name: anybody, namespace: default}
          spec:
            nodeName: %s
            reason: none
            drainer: builtin
            policy: {force: true, deadlineSeconds: 3, atDeadline: ForceDelete, forceAfterSeconds: 1}
          """
              .formatted(find("first").uid(), NODE, NODE));
      fixture
          .eventually()
          .until(
              () ->
                  request().path("status").toString().contains("notifymaintenance/default/first"));
      fixture.pause(8_000);
      assertThat(request().path("status").toString()).contains("NodeWork");
      assertThat(workers()).containsExactly(worker);
      assertThat(find("first").facts().state()).isEqualTo(MaintenanceState.DRAINED);

      fixture
          .eventually()
          .until(
              () ->
                  request()
                      .path("status")
                      .toString()
                      .contains("DrainComplete\",\"status\":\"True\""));
      assertThat(fixture.cluster.delete("DrainRequest", "default", "anybody", null).isSuccess())
          .isTrue();
      fixture.eventually().until(() -> fixture.witness.ended.contains("first"));
      assertThat(fixture.notices).doesNotContain("first MaintenanceIncomplete");
    }
  }

  private JsonNode request() {
    return Objects.requireNonNull(fixture.cluster.find("DrainRequest", "default", "anybody"));
  }

  /** Pods that run and carry the label of a maintenance's Job, rightly or not. */
  private List<String> workers() {
    List<String> names = new ArrayList<>();
    fixture
        .cluster
        .list("Pod", "default", "labelSelector=drydock.dev/maintenance")
        .body()
        .path("items")
        .forEach(
            pod -> {
              if (Fields.text(pod.path("status"), "phase").equals("Running")) {
                names.add(Fields.text(pod.path("metadata"), "name"));
              }
            });
    return names;
  }

  @Test
  void theSecondWaitsVisiblyAndTheFirstOnesJobIsLeftAlone() {
    String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 20s", "");
    fixture.maintenanceClass("slow", "builtin: {policy: {force: true}}", slow, "none: {}");
    try (Operator _ = fixture.process()) {
      fixture.maintenance("first", NODE, Optional.of("slow"));
      fixture.eventually().until(() -> find("first").facts().state() == MaintenanceState.DRAINED);
      fixture.eventually().until(() -> waitsFor("first", "the maintenance Job"));
      fixture.maintenance("second", NODE, Optional.of("slow"));
      fixture.eventually().until(() -> waitsFor("second", "default/first"));
      fixture.pause(5_000);
      assertThat(find("second").facts().state()).isEqualTo(MaintenanceState.SCHEDULED);
      assertThat(find("first").facts().state()).isEqualTo(MaintenanceState.DRAINED);

      fixture
          .eventually()
          .until(() -> fixture.witness.ended.containsAll(Set.of("first", "second")));
      assertThat(fixture.notices)
          .doesNotContain("first MaintenanceIncomplete", "second MaintenanceIncomplete");
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }
}

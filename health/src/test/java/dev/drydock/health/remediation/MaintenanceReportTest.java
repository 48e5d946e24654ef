package dev.drydock.health.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.health.remediation.decide.AttemptEnd;
import dev.drydock.health.remediation.decide.AttemptEnd.Result;
import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.ResourceProgress;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MaintenanceReportTest {
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final MaintenanceKind REBOOT =
      new MaintenanceKind("janitor.dgxc.nvidia.com", "v1alpha1", "RebootNode", "", "NodeReady");

  private static ResourceProgress reboot(String status) {
    return MaintenanceReport.of(object(status, ""), REBOOT, NOW);
  }

  private static ResourceProgress maintenance(String status) {
    return MaintenanceReport.of(object(status, ""), RemediationFixture.maintenance().kind(), NOW);
  }

  private static ApiObject object(String status, String metadata) {
    try {
      return ApiObject.of(
          Json.read(
              """
              {"metadata":{"name":"x","creationTimestamp":"%s"%s},"status":%s}"""
                  .formatted(CREATED, metadata, status)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String condition(String type, String status, String reason, int minute) {
    return """
        {"type":"%s","status":"%s","reason":"%s","message":"m",
        "lastTransitionTime":"2026-01-01T00:%02d:00Z"}"""
        .formatted(type, status, reason, minute);
  }

  private static Instant minute(int minute) {
    return CREATED.plusSeconds(60L * minute);
  }

  @Test
  void withoutAStatusNobodyServesIt() {
    assertThat(reboot("{}")).isEqualTo(new ResourceProgress.Pending(CREATED, false, false));
    assertThat(MaintenanceReport.of(object("{}", ",\"finalizers\":[\"a/b\"]"), REBOOT, NOW))
        .isEqualTo(new ResourceProgress.Pending(CREATED, true, false));
    assertThat(reboot("{\"startTime\":\"2026-01-01T00:00:00Z\"}"))
        .isEqualTo(new ResourceProgress.Pending(CREATED, true, false));
    assertThat(reboot("{\"conditions\":[%s]}".formatted(condition("Served", "False", "W", 1))))
        .as("our own condition")
        .isEqualTo(new ResourceProgress.Pending(CREATED, false, false));
  }

  @Test
  void unknownIsPendingAndFalseIsAFailure() {
    assertThat(
            reboot(
                "{\"conditions\":[%s]}"
                    .formatted(condition("NodeReady", "Unknown", "Initializing", 1))))
        .isEqualTo(new ResourceProgress.Pending(CREATED, true, false));
    assertThat(
            reboot(
                "{\"conditions\":[%s]}".formatted(condition("NodeReady", "False", "Timeout", 9))))
        .isEqualTo(
            new ResourceProgress.Ended(
                new AttemptEnd(minute(9), minute(9), Result.FAILED, "Timeout: m")));
  }

  @Test
  void theEffectIsTheLastThingThatWasDoneBefore() {
    assertThat(
            reboot(
                "{\"conditions\":[%s,%s,%s]}"
                    .formatted(
                        condition("SignalSent", "True", "Sent", 2),
                        condition("ManualMode", "False", "No", 3),
                        condition("NodeReady", "True", "Ready", 9))))
        .isEqualTo(
            new ResourceProgress.Ended(
                new AttemptEnd(minute(9), minute(2), Result.DONE, "Ready: m")));
    assertThat(
            reboot("{\"conditions\":[%s]}".formatted(condition("NodeReady", "True", "Ready", 9))))
        .isEqualTo(
            new ResourceProgress.Ended(
                new AttemptEnd(minute(9), minute(9), Result.DONE, "Ready: m")));
  }

  @ParameterizedTest
  @CsvSource({
    "Succeeded,DONE",
    "TransientFailure,FAILED",
    "PermanentFailure,FAILED_FOR_GOOD",
    "Superseded,GONE",
    "Cancelled,GONE"
  })
  void theOutcomeOfAnAttemptCountsFirst(String reason, Result result) {
    String status =
        "{\"conditions\":[%s,%s]}"
            .formatted(
                condition("NodeReady", "False", "Timeout", 9),
                condition("AttemptComplete", "True", reason, 9));
    assertThat(reboot(status))
        .isInstanceOfSatisfying(
            ResourceProgress.Ended.class,
            ended -> assertThat(ended.end().result()).isEqualTo(result));
  }

  @ParameterizedTest
  @EnumSource(MaintenanceState.class)
  void everyStateOfAMaintenanceIsKnown(MaintenanceState state) {
    ResourceProgress progress =
        maintenance("{\"maintenanceStatus\":\"%s\"}".formatted(state.text()));
    switch (state) {
      case NONE ->
          assertThat(progress).isEqualTo(new ResourceProgress.Pending(CREATED, false, true));
      case SCHEDULED, STARTED, SLA_EXPIRED, DRAINED ->
          assertThat(progress).isEqualTo(new ResourceProgress.Pending(CREATED, true, true));
      case VALIDATING, UNKNOWN ->
          assertThat(progress).isEqualTo(new ResourceProgress.Pending(CREATED, true, false));
      case INCOMPLETE ->
          assertThat(progress).isEqualTo(new ResourceProgress.Ended(AttemptEnd.failed(NOW, "")));
    }
  }

  @Test
  void aMaintenanceIsDoneWhenItsNodeIsValidated() {
    assertThat(
            maintenance(
                "{\"maintenanceStatus\":\"Validating\",\"conditions\":[%s,%s]}"
                    .formatted(
                        condition("maintenanceClient", "complete", "Annotation", 4),
                        condition("validationClient", "validated", "Annotation", 9))))
        .isEqualTo(
            new ResourceProgress.Ended(new AttemptEnd(minute(9), minute(4), Result.DONE, "")));
  }

  @Test
  void aMaintenanceThatWasCutShortHasNoResult() {
    assertThat(
            maintenance(
                "{\"maintenanceStatus\":\"ObjectsDrained\",\"conditions\":[%s]}"
                    .formatted(condition("completed", "true", "UncordonedMidway", 4))))
        .isInstanceOfSatisfying(
            ResourceProgress.Ended.class,
            ended -> assertThat(ended.end().result()).isEqualTo(Result.GONE));
  }

  @Test
  void whyAMaintenanceIsIncompleteIsSaid() {
    assertThat(
            maintenance(
                """
                {"maintenanceStatus":"MaintenanceIncomplete",
                "history":[{"message":"first"},{"message":"the Job failed"}]}"""))
        .isEqualTo(new ResourceProgress.Ended(AttemptEnd.failed(NOW, "the Job failed")));
  }

  @Test
  void aMaintenanceThatIsWorkedOnOrBeingDeletedIsNotTakenBack() {
    assertThat(
            maintenance(
                "{\"maintenanceStatus\":\"ObjectsDrained\",\"conditions\":[%s]}"
                    .formatted(condition("maintenanceClient", "inprogress", "Annotation", 4))))
        .isEqualTo(new ResourceProgress.Pending(CREATED, true, false));
    assertThat(
            MaintenanceReport.of(
                object(
                    "{\"maintenanceStatus\":\"MaintenanceScheduled\"}",
                    ",\"deletionTimestamp\":\"2026-01-01T00:30:00Z\""),
                RemediationFixture.maintenance().kind(),
                NOW))
        .isEqualTo(new ResourceProgress.Pending(CREATED, true, false));
  }
}

package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.Json;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JobObjectTest {
  /** Whoever may create Jobs may write them, and all that say that they are ours are kept. */
  @Test
  void littleIsKeptOfAJobHoweverLargeItIs() throws IOException {
    String text = "x".repeat(100_000);

    JobObject job =
        JobObject.read(
            Json.read(
                """
                {"metadata": {"namespace": "team-a", "name": "job", "uid": "u",
                   "labels": {"drydock.dev/maintenance": "m", "drydock.dev/attempt": "1"},
                   "annotations": {"drydock.dev/node": "%1$s", "more": "%1$s"},
                   "ownerReferences": [
                     {"kind": "NotifyMaintenance", "controller": true, "uid": "%1$s", "name": "%1$s"}]},
                 "spec": {"template": {"metadata": {"annotations": {"more": "%1$s"}}}},
                 "status": {"conditions": [{"type": "Failed", "status": "True", "reason": "%1$s",
                   "message": "%1$s", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}"""
                    .formatted(text)));

    assertThat(Objects.requireNonNull(job).owner()).isEqualTo(new JobObject.Owner("", ""));
    assertThat(job.toString()).isEqualTo("Job team-a/job");
    assertThat(job.node()).isEmpty();
    assertThat(job.attempt().toString()).hasSizeLessThan(3_000);
  }
}

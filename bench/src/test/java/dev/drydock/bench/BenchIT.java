package dev.drydock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.cli.ExitCode;
import dev.drydock.testbed.ClusterTest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The harness itself, small and with kubectl on both sides: its figures must be plausible. */
@ClusterTest
class BenchIT {
  @TempDir Path directory;

  @Test
  void aQuickRunPrintsARowForEachGoalAndWritesWhatItMeasured() throws IOException {
    Path file = directory.resolve("bench.json");
    StringWriter out = new StringWriter();

    int exit =
        new CommandLine(new BenchCommand())
            .setOut(new PrintWriter(out))
            .execute(
                "--quick",
                "--self-check",
                "--output-file=" + file,
                "one-node",
                "reaction",
                "blocked-nodes");

    assertThat(exit).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("one-node", "reaction", "blocked-nodes", "requests per");
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    assertThat(report.path("judged").asBoolean()).isFalse();
    assertThat(report.path("versions").path("kubectl").asText()).contains("v1.");
    assertThat(report.path("comparisons")).hasSize(4);
    assertThat(report.path("results"))
        .hasSize(3)
        .allSatisfy(result -> assertThat(result.path("trials")).hasSize(2));
    report.path("results").forEach(BenchIT::assertConsistent);
  }

  @Test
  void whatIsWrittenToMaintenancesIsCounted() throws IOException {
    Path file = directory.resolve("bench.json");

    int exit =
        new CommandLine(new BenchCommand())
            .setOut(new PrintWriter(new StringWriter()))
            .execute(
                "--quick",
                "--self-check",
                "--output-file=" + file,
                "maintenances",
                "order-heavy-tailed");

    assertThat(exit).isEqualTo(ExitCode.OK);
    JsonNode results = new ObjectMapper().readTree(file.toFile()).path("results");
    assertThat(results).hasSize(2);
    assertThat(results.get(0).path("trials"))
        .hasSize(2)
        .allSatisfy(
            trial ->
                assertThat(trial.path("details").path("writesPerTransition").asDouble())
                    .isEqualTo(2));
  }

  private static void assertConsistent(JsonNode result) {
    for (JsonNode trial : result.path("trials")) {
      JsonNode usage = trial.path("usage");
      assertThat(trial.path("value").asDouble()).isGreaterThanOrEqualTo(0);
      assertThat(usage.path("memoryMib").asDouble()).isPositive();
      // each pod takes at least one eviction
      assertThat(usage.path("requests").asInt()).isGreaterThan(usage.path("drainedPods").asInt());
      JsonNode details = trial.path("details");
      if (details.has("untilExit") && details.has("untilEmpty")) {
        assertThat(details.path("untilEmpty").asDouble()).isPositive();
      }
    }
  }
}

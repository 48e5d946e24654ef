package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.testbed.ClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Benchmarks that need operators, small: only here are both on one class path. */
@ClusterTest
class ServerSideBenchIT {
  @TempDir Path directory;

  /** Runs benchmarks, and returns what they wrote. */
  private JsonNode bench(String... names) throws Exception {
    Path file = directory.resolve("bench.json");
    Path launcher = directory.resolve("drydock");
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -cp '%s' dev.drydock.app.Drydock \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command =
        new ArrayList<>(List.of(launcher.toString(), "bench", "--quick", "--output-file=" + file));
    command.addAll(List.of(names));
    ProcessBuilder bench =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output().toFile());
    bench.environment().put("DRYDOCK_LAUNCHER", launcher.toString());

    Process process = bench.start();
    try {
      assertThat(process.waitFor(15, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroy();
    }

    assertThat(process.exitValue()).as(Files.readString(output())).isZero();
    return new ObjectMapper().readTree(file.toFile());
  }

  private Path output() {
    return directory.resolve("output");
  }

  @Test
  void aRunningOperatorIsComparedWithTheIdealClient() throws Exception {
    JsonNode row = bench("server-side").path("comparisons").get(0);

    assertThat(row.path("required").asText()).isEqualTo("<= 1.25x peer");
    assertThat(row.path("theirs").path("contestant").asText()).isEqualTo("floor");
    assertThat(row.path("theirs").path("median").asDouble())
        .isEqualTo(row.path("floor").asDouble())
        .isPositive();
    assertThat(row.path("ours").path("median").asDouble()).isPositive();
    assertThat(Files.readString(output())).contains("(floor)");
  }

  @Test
  void faultsAreDrainedByTheEngineAndByOthers() throws Exception {
    JsonNode rows =
        bench("health-drain", "mass-drain", "mass-drain-testbed", "custom-drain")
            .path("comparisons");

    assertThat(rows)
        .extracting(row -> row.path("anchor").asText())
        .containsExactly("10.1 s", "5/s and 19/s", "5/s and 19/s", "20 to 40 s");
    assertThat(rows)
        .filteredOn(row -> row.path("name").asText().startsWith("mass-drain"))
        .allSatisfy(row -> assertThat(row.path("floor").asDouble()).isPositive());
    assertThat(rows)
        .allSatisfy(row -> assertThat(row.path("ours").path("median").asDouble()).isPositive());
  }
}

package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.testbed.ClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark that needs an operator, small: only here are both on one class path. */
@ClusterTest
class ServerSideBenchIT {
  @TempDir Path directory;

  @Test
  void aRunningOperatorIsComparedWithTheIdealClient() throws Exception {
    Path file = directory.resolve("bench.json");
    Path launcher = directory.resolve("drydock");
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -cp '%s' dev.drydock.app.Drydock \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessBuilder bench =
        new ProcessBuilder(
                List.of(
                    launcher.toString(),
                    "bench",
                    "--quick",
                    "--output-file=" + file,
                    "server-side"))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    bench.environment().put("DRYDOCK_LAUNCHER", launcher.toString());

    Process process = bench.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroy();
    }

    String output = Files.readString(directory.resolve("output"));
    assertThat(process.exitValue()).as(output).isZero();
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    JsonNode row = report.path("comparisons").get(0);
    assertThat(row.path("required").asText()).isEqualTo("<= 1.25x peer");
    assertThat(row.path("theirs").path("contestant").asText()).isEqualTo("floor");
    assertThat(row.path("theirs").path("median").asDouble())
        .isEqualTo(row.path("floor").asDouble())
        .isPositive();
    assertThat(row.path("ours").path("median").asDouble()).isPositive();
    assertThat(output).contains("(floor)");
  }
}

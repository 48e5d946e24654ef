package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.realkubelet.OciArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release of the commands that the image has, as somebody gets it who has no JDK. */
class ReleaseIT {
  private static String run(String... command) {
    return CommandResult.run(List.of(command), Map.of(), "").output();
  }

  @Test
  void runsWithItsOwnJavaAndItsChecksumsHold(@TempDir Path folder) throws IOException {
    OciArchive image = BuiltImage.archive();
    Path release = folder.resolve("release");
    String version = BuiltImage.version(image);

    ReleaseBuild.main(
        new String[] {
          "--source",
          "..",
          "--jars",
          BuiltImage.jars(folder),
          "--training",
          "target/training/drydock-training.jar",
          "--bom",
          "target/bom.json",
          "--image",
          image.file().toString(),
          "--version",
          version,
          "--time",
          BuiltImage.TIME,
          "--work",
          folder.resolve("work").toString(),
          "--output",
          release.toString(),
          "--required",
          "true"
        });

    String name = "drydock-" + version;
    assertThat(
            run(
                    "bash",
                    "-c",
                    "cd \"$1\" && sha256sum --check --strict SHA256SUMS",
                    "-",
                    release.toString())
                .lines())
        .containsExactlyInAnyOrder(
            name + ".oci.tar: OK",
            name + ".yaml: OK",
            name + "-crds.yaml: OK",
            name + ".bom.json: OK",
            name + "-linux-" + image.architecture() + ".tar.gz: OK");
    Path place = Files.createDirectories(folder.resolve("any place"));
    run(
        "tar",
        "-xzf",
        release.resolve(name + "-linux-" + image.architecture() + ".tar.gz").toString(),
        "-C",
        place.toString());
    Path unpacked = place.resolve(name);
    CommandResult started =
        CommandResult.run(
            List.of(
                "env",
                "-i",
                "PATH=/usr/bin:/bin",
                unpacked.resolve("drydock").toString(),
                "version",
                "-o",
                "json"),
            Map.of(),
            "");
    assertThat(started.standardError()).isEmpty();
    JsonNode answer = new ObjectMapper().readTree(started.output());
    assertThat(answer.path("version").asText()).isEqualTo(version);
    assertThat(answer.path("java").asText()).isEqualTo(Runtime.version().toString());
    assertThat(unpacked.resolve("java/bin/java")).isExecutable();
  }
}

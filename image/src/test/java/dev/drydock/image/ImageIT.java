package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.realkubelet.OciArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image as a file: what is in it, and that it is always the same. */
class ImageIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MEBIBYTE = 1 << 20;

  private OciArchive image = new OciArchive(Path.of(""), "", "");

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void find() {
    image = BuiltImage.archive();
  }

  private String run(String... command) {
    return CommandResult.run(List.of(command), Map.of(), "").output();
  }

  private void unpack(Path archive) {
    run("tar", "-xf", archive.toString(), "-C", folder.toString());
  }

  /** Checksums of the layers, and the config without the label that says from which commit. */
  private List<JsonNode> content(Path archive) throws IOException {
    unpack(archive);
    JsonNode manifest = manifest();
    JsonNode config = blob(manifest.path("config"));
    ((ObjectNode) config.at("/config/Labels")).remove("org.opencontainers.image.revision");
    return List.of(manifest.path("layers"), config);
  }

  private JsonNode blob(JsonNode descriptor) throws IOException {
    return JSON.readTree(file(descriptor).toFile());
  }

  private Path file(JsonNode descriptor) {
    return folder.resolve("blobs/sha256").resolve(descriptor.path("digest").asText().substring(7));
  }

  private JsonNode manifest() throws IOException {
    return blob(JSON.readTree(folder.resolve("index.json").toFile()).at("/manifests/0"));
  }

  private List<String> files() throws IOException {
    List<String> all = new ArrayList<>();
    for (JsonNode layer : manifest().path("layers")) {
      run("tar", "-tzf", file(layer).toString()).lines().forEach(all::add);
    }
    return all;
  }

  @Test
  void hasTheProgramAndWhatStartsRetryHandlersAndNothingElseToRun() throws IOException {
    unpack(image.file());

    List<String> files = files();

    assertThat(files)
        .contains("opt/drydock/java/bin/java", "opt/drydock/start-up.aot", "opt/drydock/bom.json")
        // by which driver agents unpack sources
        .anyMatch(path -> path.startsWith("opt/drydock/lib/commons-compress-"))
        .noneMatch(path -> path.matches(".*/(bash|keytool|wget|nc|vi)"))
        .noneMatch(path -> path.matches(".*drydock-(sim|simulate|testbed|bench|demo|training).*"));
    assertThat(files.stream().filter(path -> path.matches("(.*/)?bin/.*") && !path.endsWith("/")))
        .containsExactlyInAnyOrder(
            "opt/drydock/java/bin/java",
            "bin/busybox",
            "bin/cat",
            "bin/chroot",
            "bin/flock",
            "bin/grep",
            "bin/ls",
            "bin/mkdir",
            "bin/sh",
            "bin/sleep",
            "bin/umount");
  }

  @Test
  void runsAsAnotherThanRootAndSaysWhatItIs() throws IOException {
    unpack(image.file());

    JsonNode config = blob(manifest().path("config")).path("config");

    assertThat(config.path("User").asText()).isEqualTo("65532:65532");
    JsonNode labels = config.path("Labels");
    assertThat(labels.path("org.opencontainers.image.title").asText()).isEqualTo("Drydock");
    assertThat(image.name())
        .endsWith(":" + labels.path("org.opencontainers.image.version").asText());
    assertThat(labels.path("org.opencontainers.image.licenses").asText()).isEqualTo("Apache-2.0");
  }

  /**
   * Only what the build of the image does: the same jars are given to it. The long name of the
   * folder is in the JVM's memory when it writes the start-up cache, and must not be seen there.
   * Somebody may commit between the builds.
   */
  @Test
  void aBuildInAnotherFolderHasTheSameLayers() throws IOException {
    Path second = folder.resolve("second.oci.tar");
    Path work = folder.resolve("w".repeat(100));

    ImageBuild.main(
        new String[] {
          "--jars",
          BuiltImage.jars(folder),
          "--training",
          "target/training/drydock-training.jar",
          "--bom",
          "target/bom.json",
          "--version",
          BuiltImage.version(image),
          "--time",
          BuiltImage.TIME,
          "--work",
          work.toString(),
          "--output",
          second.toString(),
          "--required",
          "true"
        });

    assertThat(content(second)).isEqualTo(content(image.file()));
  }

  @Test
  void isSmallEnoughToPull() throws IOException {
    assertThat(Files.size(image.file())).isLessThanOrEqualTo(120 * MEBIBYTE);
  }

  @Test
  void theSbomNamesEveryPart() throws IOException {
    unpack(image.file());
    JsonNode last = manifest().path("layers").get(3);

    JsonNode bom =
        JSON.readTree(run("tar", "-xzOf", file(last).toString(), "opt/drydock/bom.json"));

    List<String> names = new ArrayList<>();
    bom.path("components").forEach(each -> names.add(each.path("name").asText()));
    assertThat(bom.path("bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(names)
        .contains(
            "libc6",
            "ca-certificates",
            "busybox-static",
            "util-linux",
            "OpenJDK runtime",
            "drydock-app",
            "kubernetes-client")
        .doesNotContain("drydock-sim", "drydock-testbed", "junit-jupiter", "assertj-core");
    assertThat(bom.path("components"))
        .allSatisfy(each -> assertThat(each.path("version").asText()).as("%s", each).isNotEmpty());
  }
}

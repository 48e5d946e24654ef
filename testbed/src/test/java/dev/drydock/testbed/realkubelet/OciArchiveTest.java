package dev.drydock.testbed.realkubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OciArchiveTest {
  @TempDir private Path folder;

  private Path archive(String architecture) throws IOException {
    Path file = folder.resolve("image.tar");
    try (TarWriter tar = new TarWriter(Files.newOutputStream(file))) {
      tar.file(
          "index.json",
          0644,
          """
          {"manifests":[{"platform":{"architecture":"%s"},
           "annotations":{"io.containerd.image.name":"drydock.local/drydock:1"}}]}
          """
              .formatted(architecture)
              .getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void knowsItsNameAndForWhichMachineItIs() throws IOException {
    OciArchive archive = OciArchive.of(archive("vax"));

    assertThat(archive.name()).isEqualTo("drydock.local/drydock:1");
    assertThatThrownBy(archive::requireArchitectureOfThisMachine)
        .isInstanceOf(TestbedException.class)
        .hasMessageMatching(
            ".*/image.tar is for vax, and this machine is .*: build the image on a machine like the node");
  }

  @Test
  void aMissingFileIsToBeBuilt() {
    assertThatThrownBy(() -> OciArchive.of(folder.resolve("none.oci.tar")))
        .isInstanceOf(TestbedException.class)
        .hasMessageEndingWith("/none.oci.tar: build it with 'make image'");
  }

  @Test
  void anotherFileIsNoImage() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "no tar");

    assertThatThrownBy(() -> OciArchive.of(text))
        .isInstanceOf(TestbedException.class)
        .hasMessageEndingWith("is no archive of an image with a name: build one with 'make image'");
  }
}

package dev.drydock.testbed.realkubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerImageTest {
  private static final int TAR_BLOCK = 512;

  @TempDir private Path folder;

  @Test
  void isAnArchiveOfConfigurationLayerAndManifest() throws IOException {
    Path archive = folder.resolve("image.tar");

    image(program("\u007fELF static")).writeTo(archive);

    String content = Files.readString(archive, StandardCharsets.ISO_8859_1);
    assertThat(content)
        .startsWith("config.json\0")
        .contains("\"Cmd\":[\"/bin/tool\",\"run\"]")
        .contains("\"RepoTags\":[\"example.local/tool:1\"]")
        .contains("bin/tool\0")
        .contains("\u007fELF static\0");
    assertThat(content.length() % TAR_BLOCK).isZero();
    assertThat(folder).isDirectoryNotContaining("glob:**layer*");
  }

  @Test
  void isTheSameForTheSameProgram() throws IOException {
    Path program = program("\u007fELF static");

    image(program).writeTo(folder.resolve("one.tar"));
    image(program).writeTo(folder.resolve("two.tar"));

    assertThat(folder.resolve("one.tar")).hasSameBinaryContentAs(folder.resolve("two.tar"));
  }

  @Test
  void refusesAProgramThatNeedsLibraries() throws IOException {
    Path program = program("\u007fELF ... /lib64/ld-linux-x86-64.so.2");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> image(program))
        .withMessageContaining("link it statically");
  }

  @Test
  void refusesANameThatWouldBeSoughtInAPublicRegistry() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ContainerImage("tool:1", Map.of(), Map.of(), List.of()))
        .withMessageContaining("example.local/name:tag");
  }

  private ContainerImage image(Path program) {
    return new ContainerImage(
        "example.local/tool:1",
        Map.of("bin/tool", program),
        Map.of("bin/alias", "tool"),
        List.of("/bin/tool", "run"));
  }

  private Path program(String content) throws IOException {
    return Files.writeString(folder.resolve("tool"), content, StandardCharsets.ISO_8859_1);
  }
}

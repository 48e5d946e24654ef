package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SbomTest {
  @TempDir Path folder;

  @Test
  void theRuntimeHasAVersionAndAPublisher() throws IOException {
    Path file =
        Files.writeString(folder.resolve("bom.json"), "{\"metadata\":{},\"components\":[]}");

    new Sbom(file).withRuntime().write(file);

    JsonNode runtime = new ObjectMapper().readTree(file.toFile()).path("components").get(0);
    assertThat(runtime.path("version").asText()).isEqualTo(Runtime.version().toString());
    assertThat(runtime.path("publisher").asText()).isNotEmpty();
  }
}

package dev.drydock.drain.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import org.junit.jupiter.api.Test;

class DrainRequestManifestTest {
  private static JsonNode manifest(String node) {
    return DrainRequestManifest.of(
        "default", "one", DrainRequestSpec.of(node, "a test", "builtin", null));
  }

  private static String label(String node) {
    return manifest(node).path("metadata").path("labels").path(DrainRequest.NODE_LABEL).asText();
  }

  @Test
  void theLabelOfALongNodeNameIsOneThatTheServerTakes() {
    assertThat(label("n1")).isEqualTo("n1");
    assertThat(label("n".repeat(253))).hasSize(63).startsWith("n".repeat(54) + "-");
    assertThat(label("n".repeat(61) + "-.example.com")).matches("n{54}-[0-9a-f]{8}");
    assertThat(label("n".repeat(253))).isNotEqualTo(label("n".repeat(252) + "m"));
    assertThat(manifest("n".repeat(253)).path("spec").path("nodeName").asText()).hasSize(253);
  }
}

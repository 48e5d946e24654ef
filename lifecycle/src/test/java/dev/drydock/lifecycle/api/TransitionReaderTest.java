package dev.drydock.lifecycle.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Json;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TransitionReaderTest {
  @Test
  void aTransitionThatIsTooLargeToBeKeptCannotBeRead() throws IOException {
    JsonNode transition =
        Json.read(
            "{\"metadata\": {\"name\": \"evil\"}, \"spec\": {\"driver\": \"%s\"}}"
                .formatted("x".repeat(70_000)));

    assertThatThrownBy(() -> TransitionReader.read("lifecycle.k8s.io", transition))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("too large: ");
  }
}

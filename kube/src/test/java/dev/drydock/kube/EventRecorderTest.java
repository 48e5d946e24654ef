package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  /** The API server counts the bytes of a note. */
  @Test
  void aLongNoteIsCutAtAWholeCharacter() throws IOException {
    try (TestingApiServer server = new TestingApiServer().answer(201, "{}");
        KubeHttp http = new KubeHttp(server.client(), RequestInterceptor.NONE, 500)) {
      new EventRecorder(http, Clock.systemUTC())
          .record(
              new EventRecorder.Regarding("v1", "Node", "", "n", "uid"),
              new EventRecorder.Occurrence(false, "Reason", "Action"),
              "x" + "\u4e16".repeat(600));

      JsonNode note = Json.read(server.bodies.getFirst()).path("note");
      assertThat(note.asText().getBytes(StandardCharsets.UTF_8)).hasSize(1_000);
      assertThat(note.asText()).endsWith("\u4e16");
    }
  }

  @Test
  void whatProgramsReadIsAnAnnotation() throws IOException {
    try (TestingApiServer server = new TestingApiServer().answer(201, "{}");
        KubeHttp http = new KubeHttp(server.client(), RequestInterceptor.NONE, 500)) {
      new EventRecorder(http, Clock.systemUTC())
          .record(
              new EventRecorder.Regarding("v1", "Node", "", "n", "uid"),
              new EventRecorder.Occurrence(false, "Reason", "Action", Map.of("example/id", "17")),
              "note");

      assertThat(ApiObject.of(Json.read(server.bodies.getFirst())).annotations())
          .containsExactly(Map.entry("example/id", "17"));
    }
  }
}

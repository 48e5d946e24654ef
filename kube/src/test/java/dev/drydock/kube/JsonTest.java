package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Values that the API server accepts and that most readers would fail on. */
class JsonTest {
  private static String nested(String open, String close, int times) {
    return open.repeat(times) + "1" + close.repeat(times);
  }

  @Test
  void anObjectThatIsNestedTooDeeplyKeepsNoOtherFromBeingRead() throws IOException {
    String deep = nested("{\"a\":", "}", 9_000);

    JsonNode list =
        Json.read(
            "{\"items\": [{\"spec\": %s, \"metadata\": {\"name\": \"bad\"}},".formatted(deep)
                + " {\"metadata\": {\"name\": \"good\"}}]}");

    assertThat(list.path("items").findValuesAsText("name")).containsExactly("bad", "good");
  }

  @Test
  void listsInListsDoNotOverflowTheStack() throws IOException {
    assertThat(Json.read(nested("[", "]", 100_000)).isArray()).isTrue();
  }

  @Test
  void ofAPodsContainersOnlyTheirExtendedResourcesAreKept() throws IOException {
    JsonNode pod =
        Json.read(
            """
            {"spec": {"nodeName": "n",
              "containers": [
                {"name": "a", "env": [{"name": "x", "value": "resources"}],
                 "resources": {"limits": {"cpu": "1", "hpe.com/cxi": "2"}, "claims": [{"name": "c"}]}},
                {"name": "b", "resources": {"requests": {"nvidia.com/gpu": 1}}}, 7],
              "initContainers": [{"name": "c", "resources": {"limits": {"memory": "1Gi"}}}]}}
            """);

    assertThat(pod.path("spec"))
        .hasToString(
            "{\"nodeName\":\"n\",\"containers\":[{\"resources\":"
                + "{\"limits\":{\"hpe.com/cxi\":\"2\"},\"requests\":{\"nvidia.com/gpu\":1}}}]}");
  }

  @Test
  void timesAndDurationsAreCapped() throws IOException {
    JsonNode spec =
        Json.read(
            "{\"most\": 9223372036854775807, \"least\": -9223372036854775808,"
                + " \"at\": \"9999-12-31T23:59:59Z\", \"text\": \"5\"}");

    assertThat(Fields.seconds(spec, "most")).contains(Duration.ofSeconds(Integer.MAX_VALUE));
    assertThat(Fields.seconds(spec, "least")).contains(Duration.ofSeconds(-Integer.MAX_VALUE));
    assertThat(Fields.seconds(spec, "text")).isEmpty();
    assertThat(Fields.seconds(spec, "none")).isEmpty();
    assertThat(Fields.count(spec, "most")).isEqualTo(Integer.MAX_VALUE);
    assertThat(Fields.time(spec, "at")).isEqualTo(Instant.parse("2200-01-01T00:00:00Z"));
    assertThat(Fields.capped(Instant.MAX)).isEqualTo(Fields.time(spec, "at"));
    assertThat(Fields.capped(Instant.MIN)).isEqualTo(Instant.parse("0000-01-01T00:00:00Z"));
  }
}

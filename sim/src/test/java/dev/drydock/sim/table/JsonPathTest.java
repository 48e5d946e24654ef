package dev.drydock.sim.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
  private static final String OBJECT =
      """
      {"metadata": {"labels": {"a.b/c": "label"}}, "spec": {"size": 3},
       "list": [{"kind": "x", "v": 1}, {"kind": "y", "v": 2}]}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".spec.size|[3]",
        ".spec.none|[]",
        ".metadata.labels['a.b/c']|[\"label\"]",
        ".metadata.labels.a\\.b/c|[\"label\"]",
        ".list[1].v|[2]",
        ".list[*].v|[1, 2]",
        ".list[?(@.kind==\"y\")].v|[2]",
        ".list[?(@.kind=='z')].v|[]"
      })
  void finds(String path, String found) throws JsonProcessingException {
    JsonNode object = JsonTrees.MAPPER.readTree(OBJECT);

    assertThat(JsonPath.parse(path).in(object).toList()).hasToString(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "spec", ".spec[", ".list[?(@.v>1)]", ".list[0:1]"})
  void whatItCannotFollowIsRefused(String path) {
    assertThatThrownBy(() -> JsonPath.parse(path)).isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.drydock.sim.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|[{'op':'add','path':'/a','value':1}]|{'a':1}",
        "{'a':[1,3]}|[{'op':'add','path':'/a/1','value':2}]|{'a':[1,2,3]}",
        "{'a':[1]}|[{'op':'add','path':'/a/-','value':2}]|{'a':[1,2]}",
        "{'a':1}|[{'op':'replace','path':'/a','value':2}]|{'a':2}",
        "{'a':[1,2]}|[{'op':'remove','path':'/a/0'}]|{'a':[2]}",
        "{'a':{'b~/c':1}}|[{'op':'remove','path':'/a/b~0~1c'}]|{'a':{}}",
        "{'a':1}|[{'op':'copy','from':'/a','path':'/b'}]|{'a':1,'b':1}",
        "{'a':1}|[{'op':'move','from':'/a','path':'/b'}]|{'b':1}",
        "{'a':1}|[{'op':'test','path':'/a','value':1},{'op':'remove','path':'/a'}]|{}",
      })
  void applies(String document, String patch, String expected) throws JsonProcessingException {
    assertThat(JsonPatch.apply(read(document), read(patch))).isEqualTo(read(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{'op':'replace','path':'/b','value':2}]",
        "[{'op':'remove','path':'/b'}]",
        "[{'op':'add','path':'/b/c','value':2}]",
        "[{'op':'add','path':'/l/7','value':2}]",
        "[{'op':'add','path':'/b'}]",
        "[{'op':'test','path':'/a','value':2}]",
        "[{'op':'change','path':'/a','value':2}]",
        "{'a':2}",
      })
  void refusesWhatMakesNoSense(String patch) throws JsonProcessingException {
    JsonNode document = read("{'a':1,'l':[]}");
    JsonNode operations = read(patch);

    assertThatThrownBy(() -> JsonPatch.apply(document, operations))
        .isInstanceOf(PatchRefused.class);
  }

  private static JsonNode read(String json) throws JsonProcessingException {
    return JsonTrees.MAPPER.readTree(json.replace('\'', '"'));
  }
}

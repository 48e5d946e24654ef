package dev.drydock.sim.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.json.PatchRefused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategicMergePatchTest {
  private static final Schema SCHEMA =
      Schema.of(
          JsonTrees.object()
              .set(
                  "properties",
                  JsonTrees.object()
                      .<ObjectNode>set("conditions", mergedBy("type"))
                      .<ObjectNode>set("taints", mergedBy("key"))
                      .<ObjectNode>set("ports", mergedBy("containerPort"))
                      .set("finalizers", mergedBy(""))));

  private static ObjectNode mergedBy(String key) {
    return JsonTrees.object()
        .put("x-kubernetes-patch-strategy", "merge")
        .put("x-kubernetes-patch-merge-key", key);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // lists of objects merge by their key
        "{'conditions':[{'type':'A','status':'x'},{'type':'B'}]}"
            + "|{'conditions':[{'type':'A','status':'y'}]}"
            + "|{'conditions':[{'type':'A','status':'y'},{'type':'B'}]}",
        "{'taints':[{'key':'a'}]}|{'taints':[{'key':'b'}]}|{'taints':[{'key':'a'},{'key':'b'}]}",
        "{'taints':[{'key':'a'},{'key':'b'}]}"
            + "|{'taints':[{'$patch':'delete','key':'a'}]}"
            + "|{'taints':[{'key':'b'}]}",
        "{'taints':[{'key':'a'}]}"
            + "|{'taints':[{'$patch':'replace'},{'key':'b'}]}"
            + "|{'taints':[{'key':'b'}]}",
        "{'ports':[{'containerPort':1,'name':'a'}]}"
            + "|{'ports':[{'containerPort':1,'name':'b'}]}"
            + "|{'ports':[{'containerPort':1,'name':'b'}]}",
        // lists without a key are replaced
        "{'tolerations':[{'key':'a'}]}|{'tolerations':[{'key':'b'}]}|{'tolerations':[{'key':'b'}]}",
        "{'args':['a','b']}|{'args':['c']}|{'args':['c']}",
        // finalizers are a set
        "{'finalizers':['a']}|{'finalizers':['b','a']}|{'finalizers':['a','b']}",
        "{'finalizers':['a','b']}"
            + "|{'$deleteFromPrimitiveList/finalizers':['a']}"
            + "|{'finalizers':['b']}",
        // objects are merged, or replaced if the patch says so
        "{'a':{'b':1,'c':2}}|{'a':{'b':null}}|{'a':{'c':2}}",
        "{'a':{'b':1}}|{'a':{'$patch':'replace','c':2}}|{'a':{'c':2}}",
        "{'s':{'x':1,'y':2}}|{'s':{'$retainKeys':['y'],'y':3}}|{'s':{'y':3}}",
        // the order of elements is only a hint
        "{'taints':[{'key':'a'}]}|{'$setElementOrder/taints':[{'key':'a'}]}|{'taints':[{'key':'a'}]}",
      })
  void merges(String target, String patch, String expected) throws JsonProcessingException {
    assertThat(StrategicMergePatch.apply(read(target), read(patch), SCHEMA))
        .isEqualTo(read(expected));
  }

  @Test
  void anElementWithoutTheKeyOfItsListIsRefused() throws JsonProcessingException {
    ObjectNode patch = read("{'taints':[{'key':'a'},{'value':'b'}]}");

    assertThatThrownBy(() -> StrategicMergePatch.apply(JsonTrees.object(), patch, SCHEMA))
        .isInstanceOf(PatchRefused.class)
        .hasMessageContaining("merge key: key");
  }

  @Test
  void theOriginalIsLeftAlone() throws JsonProcessingException {
    ObjectNode target = read("{'a':{'b':[1]}}");

    StrategicMergePatch.apply(target, read("{'a':{'b':[2],'c':3}}"), SCHEMA);

    assertThat(target).isEqualTo(read("{'a':{'b':[1]}}"));
  }

  private static ObjectNode read(String json) throws JsonProcessingException {
    return (ObjectNode) JsonTrees.MAPPER.readTree(json.replace('\'', '"'));
  }
}

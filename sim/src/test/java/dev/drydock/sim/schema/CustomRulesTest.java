package dev.drydock.sim.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomRulesTest {
  private static final String DEFINITION =
      """
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              required: [spec]
              properties:
                spec:
                  type: object
                  properties:
                    size: {type: integer, default: 1, minimum: 1, maximum: 9}
                    mode: {type: string, enum: [fast, slow]}
                    name: {type: string, pattern: '^[a-z]+$', maxLength: 3}
                    port: {x-kubernetes-int-or-string: true}
                    tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                    free: {type: object, x-kubernetes-preserve-unknown-fields: true}
                    byName: {type: object, additionalProperties: {type: integer}}
                  x-kubernetes-validations:
                  - {rule: "!has(self.mode) || self.size > 1", message: a mode needs a size}
      """;

  private static final YAMLMapper YAML = new YAMLMapper();

  @Test
  void fillsInDefaultsAndDropsWhatTheSchemaDoesNotKnow() throws JsonProcessingException {
    ResourceType type = type(DEFINITION);
    ObjectNode thing = read("{spec: {odd: 1, free: {any: [1]}, byName: {a: 1}}, odder: 1}");

    assertThat(type.rules().dropUnknown(thing, type)).containsExactly("spec.odd", "odder");
    type.rules().beforeCreate(thing);

    assertThat(thing).isEqualTo(read("{spec: {free: {any: [1]}, byName: {a: 1}, size: 1}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | spec | FieldValueRequired",
        "{spec: 1} | spec | FieldValueTypeInvalid",
        "{spec: {size: x}} | spec.size | FieldValueTypeInvalid",
        "{spec: {size: 1.5}} | spec.size | FieldValueTypeInvalid",
        "{spec: {size: 10}} | spec.size | FieldValueInvalid",
        "{spec: {size: 0}} | spec.size | FieldValueInvalid",
        "{spec: {mode: maybe}} | spec.mode | FieldValueNotSupported",
        "{spec: {name: A}} | spec.name | FieldValueInvalid",
        "{spec: {name: abcd}} | spec.name | FieldValueTooLong",
        "{spec: {port: true}} | spec.port | FieldValueTypeInvalid",
        "{spec: {tags: [a, a]}} | spec.tags[1] | FieldValueDuplicate",
        "{spec: {byName: {a: b}}} | spec.byName.a | FieldValueTypeInvalid",
        "{spec: {size: 1, mode: fast}} | spec | FieldValueInvalid",
      })
  void findsWhatIsWrong(String thing, String field, String reason) throws JsonProcessingException {
    assertThat(type(DEFINITION).rules().validate(read(thing), null))
        .singleElement()
        .extracting(Cause::field, Cause::reason)
        .containsExactly(field, reason);
  }

  @Test
  void findsNothingWrongWithWhatIsRight() throws JsonProcessingException {
    ObjectNode thing = read("{spec: {size: 2, mode: fast, name: abc, port: http, tags: [a, b]}}");

    assertThat(type(DEFINITION).rules().validate(thing, null)).isEmpty();
  }

  @Test
  void aRuleThatCannotBeEvaluatedIsRefusedWithItsDefinition() {
    String definition = DEFINITION.replace("self.size > 1", "isQuantity(self.mode)");

    assertThatThrownBy(() -> type(definition))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("not simulated: the rule")
        .extracting(failure -> ((StatusException) failure).code())
        .isEqualTo(501);
  }

  private static ResourceType type(String definition) throws JsonProcessingException {
    return CustomRules.typesOf(read(definition)).getFirst();
  }

  private static ObjectNode read(String yaml) throws JsonProcessingException {
    return (ObjectNode) YAML.readTree(yaml);
  }
}

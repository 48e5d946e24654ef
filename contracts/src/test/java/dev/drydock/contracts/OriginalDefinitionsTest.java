package dev.drydock.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionNames;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** What clients of the kinds that others defined first rely on, in the committed files. */
class OriginalDefinitionsTest {
  private static CustomResourceDefinition read(String file) throws IOException {
    return new KubernetesSerialization()
        .unmarshal(Files.readString(Path.of("..", "deploy", file)), CustomResourceDefinition.class);
  }

  private static CustomResourceDefinitionVersion version(String definition) throws IOException {
    return read("crds/" + definition + "-v1.yaml").getSpec().getVersions().getFirst();
  }

  private static List<String> words(@Nullable String text) {
    return text == null ? List.of() : Arrays.asList(text.split(" ", -1));
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/names.csv", numLinesToSkip = 1)
  void namesAndScopesAreTheSame(
      String file,
      String name,
      String kind,
      String singular,
      String scope,
      String version,
      boolean hasStatus)
      throws IOException {
    CustomResourceDefinition definition = read(file);

    assertThat(definition.getMetadata().getName()).isEqualTo(name);
    CustomResourceDefinitionNames names = definition.getSpec().getNames();
    assertThat(names.getPlural() + "." + definition.getSpec().getGroup()).isEqualTo(name);
    assertThat(names.getKind()).isEqualTo(kind);
    assertThat(names.getSingular()).isEqualTo(singular);
    assertThat(names.getListKind()).as("the API server's own choice").isIn(null, kind + "List");
    assertThat(definition.getSpec().getScope()).isEqualTo(scope);
    assertThat(definition.getSpec().getVersions())
        .singleElement()
        .satisfies(
            only -> {
              assertThat(only.getName()).isEqualTo(version);
              assertThat(only.getServed() && only.getStorage()).isTrue();
              assertThat(only.getSubresources() != null).isEqualTo(hasStatus);
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/columns.csv", numLinesToSkip = 1)
  void columnsStandInTheirOrderAndOursAfterThem(
      String definition, @Nullable String first, @Nullable String ours) throws IOException {
    assertThat(version(definition).getAdditionalPrinterColumns())
        .extracting(CustomResourceColumnDefinition::getName)
        .containsExactlyElementsOf(
            Stream.concat(words(first).stream(), words(ours).stream()).toList());
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/notifymaintenance.csv", numLinesToSkip = 1)
  void fieldsHaveTheirTypesAndFormats(
      @Nullable String field, String type, @Nullable String format, @Nullable String required)
      throws IOException {
    assertField("crds/notifymaintenances.ngn2.nvidia.com-v1.yaml", field, type, format, required);
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/platforminfo.csv", numLinesToSkip = 1)
  void fieldsOfPlatformInfosHaveTheirTypes(
      @Nullable String field, String type, @Nullable String format, @Nullable String required)
      throws IOException {
    assertField("pika/platforminfos.yaml", field, type, format, required);
  }

  /** Of an object nothing is the default: values in it have theirs when it is given. */
  @ParameterizedTest(name = "{0} {1}")
  @CsvFileSource(resources = "/original/cxi.csv", numLinesToSkip = 1)
  void fieldsOfCxiDriversHaveTheirTypesDefaultsAndValues(
      String definition,
      String field,
      String type,
      @Nullable String byDefault,
      @Nullable String allowed,
      @Nullable String required)
      throws IOException {
    JSONSchemaProps schema = version(definition + ".cxi.hpe.com").getSchema().getOpenAPIV3Schema();
    for (String part : field.split("\\.", -1)) {
      schema = field(schema, part);
    }
    assertThat(schema.getType()).isEqualTo(type);
    assertThat(schema.getDefault() == null ? null : schema.getDefault().asText())
        .isEqualTo(byDefault);
    assertThat(schema.getEnum().stream().map(JsonNode::asText).sorted().toList())
        .isEqualTo(words(allowed));
    assertThat(schema.getRequired()).containsExactlyInAnyOrderElementsOf(words(required));
  }

  private static void assertField(
      String file,
      @Nullable String field,
      String type,
      @Nullable String format,
      @Nullable String required)
      throws IOException {
    JSONSchemaProps schema =
        read(file).getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
    for (String part : field == null ? new String[0] : field.split("\\.", -1)) {
      schema = field(schema, part.replace("[]", ""));
      if (part.endsWith("[]")) {
        assertThat(schema.getType()).isEqualTo("array");
        schema = schema.getItems().getSchema();
      }
    }

    assertThat(schema.getType()).isEqualTo(type);
    assertThat(schema.getFormat()).isEqualTo(format);
    assertThat(schema.getRequired()).containsExactlyInAnyOrderElementsOf(words(required));
  }

  /** The original's pattern has no anchors, so that nearly everything passes. */
  @Test
  void idsFitIntoLabels() throws IOException {
    JSONSchemaProps root =
        version("notifymaintenances.ngn2.nvidia.com").getSchema().getOpenAPIV3Schema();
    JSONSchemaProps id = field(field(root, "spec"), "maintenanceID");

    assertThat(id.getMaxLength()).isEqualTo(63);
    assertThat(id.getPattern()).isEqualTo("^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$");
  }

  private static JSONSchemaProps field(JSONSchemaProps schema, String name) {
    return Objects.requireNonNull(schema.getProperties().get(name), name);
  }
}

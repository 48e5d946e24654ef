package dev.drydock.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
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
  private static CustomResourceDefinitionVersion version(String definition) throws IOException {
    Path file = Path.of("..", "deploy", "crds", definition + "-v1.yaml");
    CustomResourceDefinition read =
        new KubernetesSerialization()
            .unmarshal(Files.readString(file), CustomResourceDefinition.class);
    return read.getSpec().getVersions().getFirst();
  }

  private static List<String> words(@Nullable String text) {
    return text == null ? List.of() : Arrays.asList(text.split(" ", -1));
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
    JSONSchemaProps schema =
        version("notifymaintenances.ngn2.nvidia.com").getSchema().getOpenAPIV3Schema();
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

package dev.drydock.contracts;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.nvsentinel.ValidationRequest;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrArray;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Corrects the generator's output for records. A rule on a component applies to field and accessor
 * and is generated twice; a map of any values is generated as a map of objects; the spec must be
 * required, and everything in it limited. The status of a LifecycleEvent defaults to Pending, and
 * CRDs in a Kubernetes group must declare that Kubernetes did not approve them.
 */
final class SchemaTidy implements CRDPostProcessor {
  @Override
  public HasMetadata process(HasMetadata definition, String version) {
    CustomResourceDefinitionSpec kind = ((CustomResourceDefinition) definition).getSpec();
    for (CustomResourceDefinitionVersion one : kind.getVersions()) {
      JSONSchemaProps schema = one.getSchema().getOpenAPIV3Schema();
      tidy(schema);
      limit(Objects.requireNonNull(schema.getProperties().get("spec")));
      columns(one, declared(kind));
      schema.setRequired(
          kind.getNames().getKind().equals(CXIDevice.KIND) ? List.of() : List.of("spec"));
      if (kind.getGroup().equals(CXIDriver.GROUP)
          || kind.getNames().getKind().equals(ValidationRequest.KIND)) {
        conditionsByType(Objects.requireNonNull(schema.getProperties().get("status")));
      }
      if (kind.getNames().getPlural().equals(LifecycleNames.EVENTS)) {
        Objects.requireNonNull(schema.getProperties().get("status"))
            .setDefault(JsonNodeFactory.instance.objectNode().put("claimStatus", "Pending"));
      }
    }
    if (kind.getGroup().endsWith(".k8s.io")) {
      definition
          .getMetadata()
          .setAnnotations(
              Map.of(
                  "api-approved.kubernetes.io",
                  "unapproved, kept compatible with existing manifests by Drydock"));
    }
    return definition;
  }

  /** Several clients write conditions of these kinds, each its own types. */
  private static void conditionsByType(JSONSchemaProps status) {
    JSONSchemaProps conditions = Objects.requireNonNull(status.getProperties().get("conditions"));
    conditions.setXKubernetesListType("map");
    conditions.setXKubernetesListMapKeys(List.of("type"));
  }

  /** The names of a kind's columns in the order in which its class declares them. */
  private static List<String> declared(CustomResourceDefinitionSpec kind) {
    return Stream.of(
            CrdCatalog.KINDS,
            CrdCatalog.COMPATIBLE,
            CrdCatalog.ON_REQUEST,
            CrdCatalog.SERVED_BY_OTHERS)
        .flatMap(List::stream)
        .filter(
            each ->
                HasMetadata.getGroup(each).equals(kind.getGroup())
                    && HasMetadata.getKind(each).equals(kind.getNames().getKind()))
        .flatMap(each -> Arrays.stream(each.getAnnotationsByType(AdditionalPrinterColumn.class)))
        .map(AdditionalPrinterColumn::name)
        .toList();
  }

  /** The generator sorts columns by path; scripts count them in the order they are known in. */
  private static void columns(CustomResourceDefinitionVersion version, List<String> order) {
    version.setAdditionalPrinterColumns(
        version.getAdditionalPrinterColumns().stream()
            .sorted(Comparator.comparingInt(column -> order.indexOf(column.getName())))
            .toList());
  }

  /** What has no limit of its own gets one, and integers fit into those of all clients. */
  private static void limit(@Nullable JSONSchemaProps schema) {
    if (schema == null) {
      return;
    }
    switch (Objects.requireNonNullElse(schema.getType(), "")) {
      case "integer" -> {
        schema.setFormat("int32");
        schema.setMinimum(
            Objects.requireNonNullElse(schema.getMinimum(), (double) Integer.MIN_VALUE));
        schema.setMaximum(
            Objects.requireNonNullElse(schema.getMaximum(), (double) Integer.MAX_VALUE));
      }
      case "string" -> {
        if (schema.getEnum() == null || schema.getEnum().isEmpty()) {
          schema.setMaxLength(
              Objects.requireNonNullElse(schema.getMaxLength(), (long) Limits.LONGEST_TEXT));
        }
      }
      case "array" ->
          schema.setMaxItems(
              Objects.requireNonNullElse(schema.getMaxItems(), (long) Limits.MOST_ENTRIES));
      default -> {
        if (schema.getAdditionalProperties() != null) {
          schema.setMaxProperties((long) Limits.MOST_ENTRIES);
          limitKeys(schema);
          limit(schema.getAdditionalProperties().getSchema());
        }
      }
    }
    if (schema.getProperties() != null) {
      schema.getProperties().values().forEach(SchemaTidy::limit);
    }
    JSONSchemaPropsOrArray items = schema.getItems();
    limit(items == null ? null : items.getSchema());
  }

  /** A schema can limit the number of keys and the length of values, but only a rule the keys. */
  private static void limitKeys(JSONSchemaProps schema) {
    ValidationRule rule =
        new ValidationRuleBuilder()
            .withRule("self.all(key, size(key) <= %d)".formatted(Limits.LONGEST_KEY))
            .withMessage("keys must have at most %d characters".formatted(Limits.LONGEST_KEY))
            .build();
    schema.setXKubernetesValidations(
        Stream.concat(
                Stream.ofNullable(schema.getXKubernetesValidations()).flatMap(List::stream),
                Stream.of(rule))
            .toList());
  }

  private static void tidy(@Nullable JSONSchemaProps schema) {
    if (schema == null) {
      return;
    }
    if (schema.getXKubernetesValidations() != null) {
      schema.setXKubernetesValidations(
          schema.getXKubernetesValidations().stream().distinct().toList());
    }
    if (Limits.TIME.equals(schema.getPattern())) {
      schema.setFormat("date-time");
    }
    if (Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields())) {
      schema.setAdditionalProperties(null);
    }
    if (schema.getProperties() != null) {
      schema.getProperties().values().forEach(SchemaTidy::tidy);
    }
    JSONSchemaPropsOrArray items = schema.getItems();
    tidy(items == null ? null : items.getSchema());
  }
}

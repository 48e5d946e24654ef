package dev.drydock.contracts;

import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrArray;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Corrects what the generator makes of records. A rule on a component is a rule on field and
 * accessor, so it comes out twice; a map of anything comes out as a map of objects only; and of our
 * own kinds, an object without any spec would pass although parts of the spec are required.
 */
final class SchemaTidy implements CRDPostProcessor {
  @Override
  public HasMetadata process(HasMetadata definition, String version) {
    CustomResourceDefinitionSpec kind = ((CustomResourceDefinition) definition).getSpec();
    for (CustomResourceDefinitionVersion one : kind.getVersions()) {
      JSONSchemaProps schema = one.getSchema().getOpenAPIV3Schema();
      tidy(schema);
      if (kind.getGroup().equals(MaintenanceClass.GROUP)) {
        schema.setRequired(List.of("spec"));
      }
    }
    return definition;
  }

  private static void tidy(@Nullable JSONSchemaProps schema) {
    if (schema == null) {
      return;
    }
    if (schema.getXKubernetesValidations() != null) {
      schema.setXKubernetesValidations(
          schema.getXKubernetesValidations().stream().distinct().toList());
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

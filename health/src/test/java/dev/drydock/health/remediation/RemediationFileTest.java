package dev.drydock.health.remediation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.remediation.decide.RemediationAction;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemediationFileTest {
  /** As the original's chart writes it. */
  private static final String SHIPPED =
      """
      maxRemediationAttempts = 0

      [template]
      mountPath = "FOLDER"
      fileName = "rebootnode-template.yaml"

      [remediationActions."COMPONENT_RESET"]
      apiGroup = "janitor.dgxc.nvidia.com"
      version = "v1alpha1"
      kind = "GPUReset"
      scope = "Cluster"
      completeConditionType = "Complete"
      templateFileName = "gpureset-template.yaml"
      equivalenceGroup = "reset"
      impactedEntityScope = "GPU_UUID"
      supersedingEquivalenceGroups = ["restart"]

      [remediationActions."RESTART_BM"]
      apiGroup = "janitor.dgxc.nvidia.com"
      version = "v1alpha1"
      kind = "RebootNode"
      equivalenceGroup = "restart"

      [remediationActions."VENDOR"]
      version = "v1"
      kind = "ConfigMap"
      scope = "Namespaced"
      namespace = "nvsentinel"
      templateFileName = "gpureset-template.yaml"
      equivalenceGroup = "vendor"

      [componentRemediationActions."LPU"."RESTART_BM"]
      apiGroup = "example.com"
      version = "v1"
      kind = "Reseat"
      completeConditionType = "Done"
      templateFileName = "gpureset-template.yaml"
      equivalenceGroup = "reseat"

      [updateRetry]
      maxRetries = 5
      retryDelaySeconds = 10
      """;

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("rebootnode-template.yaml"), "a: b");
    Files.writeString(folder.resolve("gpureset-template.yaml"), "a: {{.NodeName}}");
  }

  private RemediationConfig parse(String text) {
    return RemediationFile.parse(text.replace("FOLDER", folder.toString()), "remediation.toml");
  }

  private static RemediationAction action(RemediationConfig config, String name) {
    return requireNonNull(config.actions().byAction().get(name), name);
  }

  @Test
  void theOriginalsFileIsTaken() {
    RemediationConfig config = parse(SHIPPED);

    assertThat(config.actions().maxAttempts()).isZero();
    RemediationAction reset = action(config, "COMPONENT_RESET");
    assertThat(reset.entityScope()).contains("GPU_UUID");
    assertThat(reset.superseding()).containsExactly("restart");
    assertThat(reset.kind().completeCondition()).isEqualTo("Complete");
    RemediationAction restart = action(config, "RESTART_BM");
    assertThat(restart.kind().completeCondition()).isEqualTo("NodeReady");
    assertThat(restart.kind().namespace()).isEmpty();
    assertThat(restart.template()).as("the old key").isEqualTo("rebootnode-template.yaml");
    assertThat(action(config, "VENDOR").kind().namespace()).isEqualTo("nvsentinel");
    assertThat(action(config, "VENDOR").kind().apiVersion()).isEqualTo("v1");
    assertThat(
            requireNonNull(
                    requireNonNull(config.actions().byComponent().get("LPU")).get("RESTART_BM"))
                .group())
        .isEqualTo("reseat");
    assertThat(
            requireNonNull(config.templates().get("gpureset-template.yaml"))
                .render(Map.of("NodeName", "n"), MissingNode.getInstance())
                .body())
        .isEqualTo(Json.object().put("a", "n"));
    assertThat(config.kinds()).containsKeys("COMPONENT_RESET", "RESTART_BM", "VENDOR");
  }

  @Test
  void theLimitIsThreeUnlessTheFileSaysOtherwise() {
    assertThat(parse(SHIPPED.replace("maxRemediationAttempts = 0", "")).actions().maxAttempts())
        .isEqualTo(3);
  }

  @Test
  void aFileIsRead() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("config.toml"), SHIPPED.replace("FOLDER", folder.toString()));
    assertThat(RemediationFile.read(file).actions().byAction()).containsKey("COMPONENT_RESET");
    assertThatThrownBy(() -> RemediationFile.read(folder.resolve("none")))
        .hasMessageContaining("no file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          mountPath = "FOLDER" | x = 1 | mountPath is missing
          kind = "RebootNode" | x = 1 | [remediationActions."RESTART_BM"]: kind is missing
          equivalenceGroup = "restart" | x = 1 | equivalenceGroup is missing
          equivalenceGroup = "restart" | equivalenceGroup = "other" | superseding group "restart" does not exist
          ["restart"] | ["reset"] | is the group itself
          impactedEntityScope = "GPU_UUID" | impactedEntityScope = "PCI" | is not GPU_UUID
          scope = "Cluster" | scope = "Namespaced" | needs a namespace
          scope = "Cluster" | scope = "Global" | neither Cluster nor Namespaced
          fileName = "rebootnode-template.yaml" | x = 1 | templateFileName is missing
          fileName = "rebootnode-template.yaml" | fileName = "gone.yaml" | there is no template
          fileName = "rebootnode-template.yaml" | fileName = "../x.yaml" | is not the name of a file
          maxRemediationAttempts = 0 | maxRemediationAttempts = -1 | not a number from 0
          retryDelaySeconds = 10 | retryDelaySeconds = "x" | [updateRetry]: retryDelaySeconds is "x"
          [template] | [template | not valid TOML
          """)
  void whatCannotBeUsedIsSaid(String present, String instead, String message) {
    assertThat(SHIPPED).contains(present);
    assertThatThrownBy(() -> parse(SHIPPED.replace(present, instead)))
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageStartingWith("remediation.toml")
        .hasMessageContaining(message);
  }

  @Test
  void onlyActionsOnPartsHaveAnEntity() {
    assertThatThrownBy(
            () ->
                parse(
                    SHIPPED.replace(
                        "equivalenceGroup = \"restart\"",
                        "equivalenceGroup = \"restart\"\nimpactedEntityScope = \"GPU_UUID\"")))
        .hasMessageContaining("only for COMPONENT_RESET and custom actions");
  }

  @Test
  void aGroupOfAPartSupersedesNothing() {
    assertThatThrownBy(
            () ->
                parse(
                    SHIPPED.replace(
                        "equivalenceGroup = \"vendor\"",
                        "equivalenceGroup = \"vendor\"\nsupersedingEquivalenceGroups = [\"reset\"]")))
        .hasMessageContaining("has an impactedEntityScope");
  }

  @Test
  void aFileWithoutActionsIsRefused() {
    assertThatThrownBy(() -> parse("[template]\nmountPath = \"FOLDER\""))
        .hasMessageContaining("it has no [remediationActions");
  }

  @Test
  void aTemplateThatCannotBeReadIsNamed() throws IOException {
    Files.writeString(folder.resolve("gpureset-template.yaml"), "a: b\nc: {{ .NodeName");

    assertThatThrownBy(() -> parse(SHIPPED))
        .hasMessageContaining("[remediationActions.\"COMPONENT_RESET\"]")
        .hasMessageContaining("gpureset-template.yaml, line 2");
  }
}

package dev.drydock.health.remediation;

import static dev.drydock.health.remediation.RemediationFixture.REBOOTS;
import static dev.drydock.health.remediation.RemediationFixture.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.remediation.RemediationFixture.Operator;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actions and templates with all that those of the original's chart and documentation use. */
class RemediationTemplatesTest {
  private static final Resource TERMINATIONS =
      Resource.cluster("janitor.dgxc.nvidia.com", "v1alpha1", "terminatenodes", "TerminateNode");
  private static final Resource RESETS =
      Resource.cluster("janitor.dgxc.nvidia.com", "v1alpha1", "gpuresets", "GPUReset");
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private static final String ACTIONS =
      """
      [template]
      mountPath = "FOLDER"

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
      scope = "Cluster"
      completeConditionType = "NodeReady"
      templateFileName = "node-template.yaml"
      equivalenceGroup = "restart"

      [remediationActions."REPLACE_VM"]
      apiGroup = "janitor.dgxc.nvidia.com"
      version = "v1alpha1"
      kind = "TerminateNode"
      scope = "Cluster"
      completeConditionType = "NodeTerminated"
      templateFileName = "node-template.yaml"
      equivalenceGroup = "terminate"

      [updateRetry]
      maxRetries = 5
      retryDelaySeconds = 10
      """;

  /** One for two actions, by the number of the action and by its name. */
  private static final String NODE_TEMPLATE =
      """
      {{- /* what a janitor serves */ -}}
      apiVersion: {{.ApiGroup}}/{{.Version}}
      {{- if eq .RecommendedAction 24 }}
      kind: RebootNode
      {{- else if eq .RecommendedActionName "REPLACE_VM" }}
      kind: TerminateNode
      {{- end }}
      metadata:
        name: maintenance-{{ .HealthEvent.NodeName }}-{{ .HealthEventID }}
        labels:
          app.kubernetes.io/managed-by: nvsentinel
          code: {{ index .HealthEvent.ErrorCode 0 }}
        annotations:
          nvsentinel.nvidia.com/ttl: "336h"
          {{- if .TraceID }}
          nvsentinel.nvidia.com/trace-id: {{ .TraceID }}
          nvsentinel.nvidia.com/span-id: {{ .SpanID }}
          {{- end }}
          message: {{ .HealthEvent.Message }}
      spec:
        nodeName: {{ .NodeName }}
        force: {{ .HealthEvent.IsFatal }}
      """;

  private static final String RESET_TEMPLATE =
      """
      apiVersion: {{ .ApiGroup }}/{{ .Version }}
      kind: {{ .Kind }}
      metadata:
        name: maintenance-{{ .HealthEvent.NodeName }}-{{ .HealthEventID }}
      spec:
        nodeName: {{ printf "%q" .HealthEvent.NodeName }}
        selector:
          uuids:
            - {{ .ImpactedEntityScopeValue }}
      """;

  @TempDir private Path folder;
  private RemediationFixture fixture;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(folder.resolve("node-template.yaml"), NODE_TEMPLATE);
    Files.writeString(folder.resolve("gpureset-template.yaml"), RESET_TEMPLATE);
    fixture = RemediationFixture.simulated(folder);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Operator operator() {
    return fixture.operator(
        RemediationFile.parse(ACTIONS.replace("FOLDER", folder.toString()), "remediation.toml"));
  }

  @Test
  void everyActionMakesItsResource() {
    String restarted = fixture.addNode();
    String replaced = fixture.addNode();
    String reset = fixture.addNode();
    String message = "XID 79: \"fallen\"\n{{ off }} the bus";
    try (Operator _ = operator()) {
      String restart =
          fixture.quarantinedAndDrained(
              fault(restarted)
                  .recommendedAction(RecommendedAction.RESTART_BM)
                  .message(message)
                  .metadata("trace_id", TRACE));
      fixture.quarantinedAndDrained(
          fault(replaced).recommendedAction(RecommendedAction.REPLACE_VM));
      fixture.quarantinedAndDrained(
          fault(reset)
              .recommendedAction(RecommendedAction.COMPONENT_RESET)
              .entity("GPU_UUID", "7"));

      ApiObject reboot = fixture.only(REBOOTS);
      assertThat(reboot.name()).isEqualTo("maintenance-" + restarted + "-" + restart);
      assertThat(reboot.spec().path("nodeName").textValue()).isEqualTo(restarted);
      assertThat(reboot.spec().path("force").booleanValue()).isTrue();
      assertThat(reboot.labels())
          .containsEntry("app.kubernetes.io/managed-by", "nvsentinel")
          .containsEntry("code", "79");
      assertThat(reboot.annotations())
          .containsEntry("nvsentinel.nvidia.com/ttl", "336h")
          .containsEntry("nvsentinel.nvidia.com/trace-id", TRACE)
          .containsKey("nvsentinel.nvidia.com/span-id")
          .containsEntry("message", message);
      ApiObject termination = fixture.only(TERMINATIONS);
      assertThat(termination.spec().path("nodeName").textValue()).isEqualTo(replaced);
      assertThat(termination.annotations()).doesNotContainKey("nvsentinel.nvidia.com/trace-id");
      assertThat(fixture.only(RESETS).spec().path("selector").path("uuids").path(0).textValue())
          .as("a text by the schema, though it looks like a number")
          .isEqualTo("7");
    }
  }
}

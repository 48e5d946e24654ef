package dev.drydock.health.customdrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSyntax;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.customdrain.decide.CustomDrainRules;
import dev.drydock.health.customdrain.decide.CustomDrainRules.Reported;
import dev.drydock.health.customdrain.decide.CustomDrainTask;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrainResourceTemplateTest {
  private static final CustomDrainTask TASK =
      new CustomDrainTask("worker-1", "66f0c0de", "66f0c0de", "");
  private static final Map<String, List<String>> PODS =
      Map.of("b", List.of("2", "1"), "a", List.of("x"));

  private static String published() throws IOException {
    try (var in = CustomDrainConfig.class.getResourceAsStream("drain-template.yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static CustomDrainConfig config(String template) {
    return new CustomDrainConfig(
        "nvsentinel",
        "nvsentinel.nvidia.com",
        "v1alpha1",
        "DrainRequest",
        ResourceTemplate.parse("drain-template.yaml", template),
        "custom",
        LabelSelector.everything(),
        new CustomDrainRules(
            new Reported("Complete", "True"),
            new Reported("Failed", "True"),
            Duration.ofMinutes(30),
            false),
        false);
  }

  private static JsonNode schema() throws IOException {
    JsonNode crd =
        new YAMLMapper()
            .readTree(
                Path.of("..", "deploy", "crds", "drainrequests.nvsentinel.nvidia.com-v1.yaml")
                    .toFile());
    return crd.path("spec").path("versions").path(0).path("schema").path("openAPIV3Schema");
  }

  private static HealthEvent.Builder event() {
    return HealthEvent.builder()
        .version(1)
        .agent("gpu-health-monitor")
        .componentClass("GPU")
        .checkName("GpuXidError")
        .isFatal(true)
        .message("GPU XID 79 - GPU has fallen off the bus")
        .recommendedAction(RecommendedAction.RESTART_VM)
        .errorCode("79")
        .entity("GPU", "0")
        .metadata("trace_id", "4bf92f3577b34da6a3ce929d0e0e4736")
        .nodeName("worker-1");
  }

  private static ObjectNode render(String template, HealthEvent event, JsonNode schema) {
    return DrainResourceTemplate.render(
        config(template),
        new DrainResourceTemplate.Input(TASK, event, "00f067aa0ba902b7", PODS),
        schema);
  }

  @Test
  void thePublishedTemplateMakesTheResourceItMeans() throws IOException {
    ObjectNode made = render(published(), event().build(), schema());

    assertThat(made)
        .isEqualTo(
            new YAMLMapper()
                .readTree(
                    """
                    apiVersion: nvsentinel.nvidia.com/v1alpha1
                    kind: DrainRequest
                    spec:
                      nodeName: worker-1
                      checkName: GpuXidError
                      recommendedAction: RESTART_VM
                      errorCode: ["79"]
                      healthEventID: 66f0c0de
                      entitiesImpacted:
                      - {type: GPU, value: "0"}
                      reason: GPU XID 79 - GPU has fallen off the bus
                    metadata:
                      name: drain-worker-1-66f0c0de
                      namespace: nvsentinel
                      labels:
                        nvsentinel.nvidia.com/node-name: worker-1
                      annotations:
                        drydock.dev/drainer: custom
                        drydock.dev/node: worker-1
                        drydock.dev/health-event: 66f0c0de
                        drydock.dev/episode: 66f0c0de
                        nvsentinel.nvidia.com/trace-id: 4bf92f3577b34da6a3ce929d0e0e4736
                        nvsentinel.nvidia.com/span-id: 00f067aa0ba902b7
                    """));
  }

  /** Whatever an event says stays the one value that the template put it in. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "with \"quotes\" and 'more'",
        "two\nlines\n  nodeName: other",
        "\"\nspec:\n  nodeName: other",
        "{{ .HealthEvent.NodeName }} and {{ range",
        "# comment: [a, b] {c: d} & * ! | > %",
        "- item",
        "\\\" \\n \t \u0007",
        "\uE0000\uE001 \uE000",
        "~",
        "null",
        "yes",
        "0x1F",
        "1e3",
        "",
        " leading and trailing ",
        "é 漢字 😀"
      })
  void noTextOfAnEventChangesTheResource(String text) throws IOException {
    HealthEvent event =
        event().message(text).errorCode(text, "79").checkName(text).entity(text, text).build();

    JsonNode spec = render(published(), event, schema()).path("spec");

    assertThat(spec.path("reason").textValue()).isEqualTo(text);
    assertThat(spec.path("checkName").textValue()).isEqualTo(text);
    assertThat(spec.path("errorCode").valueStream().map(JsonNode::textValue))
        .containsExactly(text, "79");
    assertThat(spec.path("entitiesImpacted").path(1).path("value").textValue()).isEqualTo(text);
    assertThat(spec.path("nodeName").textValue()).isEqualTo("worker-1");
    assertThat(spec.properties())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder(
            "nodeName",
            "checkName",
            "recommendedAction",
            "errorCode",
            "healthEventID",
            "entitiesImpacted",
            "reason");
  }

  @Test
  void listsThatNothingWasPutInAreLeftOut() throws IOException {
    HealthEvent bare = HealthEvent.builder().nodeName("worker-1").build();

    JsonNode spec = render(published(), bare, schema()).path("spec");

    assertThat(spec.has("errorCode")).isFalse();
    assertThat(spec.has("entitiesImpacted")).isFalse();
    assertThat(spec.path("checkName").textValue()).isEmpty();
  }

  @Test
  void valuesAreQuotedEscapedAndNestedAsTheTemplateMeans() throws IOException {
    String template =
        """
        metadata:
          namespace: other
          labels: {number: 7, code: {{ index .HealthEvent.ErrorCode 0 }}}
        spec:
          nodeName: {{ .HealthEvent.NodeName }}
          reason: {{ printf "%q" .HealthEvent.Message }}
          checkName: "{{ .HealthEvent.Message | js }}"
          recommendedAction: |
            {{ .HealthEvent.Message }}
          metadata:
          {{- range $k, $v := .HealthEvent.Metadata }}
            {{ $k }}: {{ $v }}
          {{- end }}
          podsToDrain:
          {{- range $namespace, $names := .PodsToDrain }}
            {{ $namespace }}:
            {{- range $names }}
            - {{ . }}
            {{- end }}
          {{- end }}
        """;
    String message = "a \"b\"\n\\c: {{ d }}";
    JsonNode made =
        render(template, event().message(message).metadata("a: b", "true").build(), schema());

    assertThat(made.path("spec").path("reason").textValue()).isEqualTo(message);
    assertThat(made.path("spec").path("checkName").textValue()).isEqualTo(message);
    assertThat(made.path("spec").path("recommendedAction").textValue()).isEqualTo(message + "\n");
    assertThat(made.path("spec").path("metadata").path("a: b").textValue()).isEqualTo("true");
    assertThat(made.path("spec").path("podsToDrain").toString())
        .isEqualTo("{\"a\":[\"x\"],\"b\":[\"2\",\"1\"]}");
    assertThat(made.path("metadata").path("namespace").textValue()).isEqualTo("other");
    assertThat(made.path("metadata").path("labels").path("number").textValue()).isEqualTo("7");
    assertThat(made.path("metadata").path("labels").path("code").textValue()).isEqualTo("79");
  }

  @Test
  void withoutASchemaValuesAreWhatTheyLookLike() {
    String template =
        """
        spec:
          plain: {{ index .HealthEvent.ErrorCode 0 }}
          quoted: "{{ index .HealthEvent.ErrorCode 0 }}"
          truth: {{ .HealthEvent.IsFatal }}
          count: {{ len .HealthEvent.ErrorCode }}
          rate: 1.5
          nothing: ~
          text: gpu-{{ index .HealthEvent.ErrorCode 0 }}
        """;

    assertThat(render(template, event().build(), MissingNode.getInstance()).path("spec").toString())
        .isEqualTo(
            "{\"plain\":79,\"quoted\":\"79\",\"truth\":true,\"count\":1,\"rate\":1.5,\"nothing\":null,\"text\":\"gpu-79\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec: [",
        "- a list",
        "{{ .HealthEvent.NoSuchField }}",
        "{{ index .HealthEvent.ErrorCode 5 }}",
        "a: 1\na: 2",
        "a: &x {b: *x}",
        "a: 1\n---\nb: 2",
        "x: \uE000",
        "{{ range 200000 }}x{{ end }}"
      })
  void whatCanNeverBeAResourceIsSaidInOneLine(String template) {
    assertThatThrownBy(() -> render(template, event().build(), MissingNode.getInstance()))
        .isInstanceOf(ResourceTemplateInvalid.class)
        .satisfies(
            failed ->
                assertThat(String.valueOf(failed.getMessage()).lines()).as("lines").hasSize(1));
  }

  @Test
  void longNamesAreShortenedAndTheWholeNameIsKept() throws IOException {
    String node = "n" + ".node".repeat(49) + ".abc";
    CustomDrainTask task = new CustomDrainTask(node, "66F0_C0DE", "66f0c0de", "GPU-1");
    ObjectNode made =
        DrainResourceTemplate.render(
            config(published()),
            new DrainResourceTemplate.Input(task, event().nodeName(node).build(), "", PODS),
            schema());

    String label =
        made.path("metadata").path("labels").path("nvsentinel.nvidia.com/node-name").textValue();
    String name = made.path("metadata").path("name").textValue();
    assertThat(LabelSyntax.isValue(label)).as(label).isTrue();
    assertThat(name).hasSizeLessThanOrEqualTo(253).matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    assertThat(DrainResourceTemplate.name(new CustomDrainTask(node, "other", "e", "")))
        .isNotEqualTo(name);
    assertThat(made.path("spec").path("nodeName").textValue()).isEqualTo(node);
    assertThat(made.path("metadata").path("annotations").path("drydock.dev/node").textValue())
        .isEqualTo(node);
    assertThat(made.path("metadata").path("annotations").path("drydock.dev/device").textValue())
        .isEqualTo("GPU-1");
  }
}

package dev.drydock.health.drainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.customdrain.CustomDrainConfig;
import dev.drydock.health.customdrain.decide.CustomDrainRules.Reported;
import dev.drydock.health.drainer.decide.DrainRules;
import dev.drydock.health.drainer.decide.NamePattern;
import dev.drydock.health.drainer.decide.StuckPods;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeDrainerFileTest {
  @TempDir private Path folder;

  @BeforeEach
  void template() throws IOException {
    Files.writeString(folder.resolve("drain-template.yaml"), published("drain-template.yaml"));
  }

  /** What the README of the original's demo prints, to the letter. */
  static String published(String file) throws IOException {
    try (var in = CustomDrainConfig.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private NodeDrainerConfig parse(String toml) {
    return NodeDrainerFile.parse(
        toml.replace("/etc/drain-template", folder.toString()), "drainer.toml");
  }

  @Test
  void theOriginalsConfigurationIsReadUnchanged() {
    NodeDrainerConfig config =
        parse(
            """
            evictionTimeoutInSeconds = "45"
            systemNamespaces = "^(kube-system)$"
            deleteAfterTimeoutMinutes = 30
            notReadyTimeoutMinutes = 7
            drainGPUPods = true
            partialDrainEnabled = true
            partialDrainEntityMetricEnabled = true
            qps = -1
            burst = 10
            [[userNamespaces]]
            name = "runai-*"
            mode = "DeleteAfterTimeout"
            [[userNamespaces]]
            name = "*"
            mode = "AllowCompletion"
            [customDrain]
            enabled = false
            """);

    DrainRules rules = config.rules();
    assertThat(rules.evictionTimeout()).isEqualTo(Duration.ofSeconds(45));
    assertThat(rules.deleteAfter()).isEqualTo(Duration.ofMinutes(30));
    assertThat(rules.notReadyTimeout()).isEqualTo(Duration.ofMinutes(7));
    assertThat(rules.devicesOnly()).isTrue();
    assertThat(rules.isSystem("kube-system")).isTrue();
    assertThat(rules.isSystem("cert-manager")).isFalse();
    assertThat(rules.rules()).hasSize(2);
    assertThat(config.partialDrain()).isTrue();
    assertThat(config.entityMetric()).isTrue();
    assertThat(config.customDrain()).isEmpty();
  }

  @Test
  void theDefaultsAreTheOriginals() {
    DrainRules rules = NodeDrainerFile.defaults().rules();

    assertThat(rules.evictionTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(rules.deleteAfter()).isEqualTo(Duration.ofHours(1));
    assertThat(rules.allowCompletionMax()).isZero();
    assertThat(rules.stuckPods()).isEqualTo(StuckPods.LEAVE);
    assertThat(rules.deadline()).isEqualTo(DrainRules.Deadline.NONE);
    assertThat(rules.reaches("anything")).isTrue();
    assertThat(rules.reaches("gpu-operator")).isFalse();
    assertThat(rules.reaches("kueue-system")).isFalse();
  }

  @Test
  void theAdditionalKeysAreRead() {
    DrainRules rules =
        parse(
                """
                allowCompletionMaxMinutes = 120
                stuckPods = "forceDelete"
                drainDeadlineMinutes = 240
                onDrainDeadline = "delete"
                """)
            .rules();

    assertThat(rules.allowCompletionMax()).isEqualTo(Duration.ofHours(2));
    assertThat(rules.stuckPods()).isEqualTo(StuckPods.FORCE_DELETE);
    assertThat(rules.deadline())
        .isEqualTo(new DrainRules.Deadline(Duration.ofHours(4), DrainPolicy.AtDeadline.DELETE));
  }

  @Test
  void thePublishedCustomDrainIsReadToTheLetter() throws IOException {
    CustomDrainConfig custom = parse(published("node-drainer.toml")).customDrain().orElseThrow();

    assertThat(custom.namespace()).isEqualTo("nvsentinel");
    assertThat(custom.apiVersion()).isEqualTo("nvsentinel.nvidia.com/v1alpha1");
    assertThat(custom.kind()).isEqualTo("DrainRequest");
    assertThat(custom.rules().complete()).isEqualTo(new Reported("Complete", "True"));
    assertThat(custom.rules().failed()).isEqualTo(new Reported("Failed", "True"));
    assertThat(custom.rules().timeout()).isEqualTo(Duration.ofMinutes(30));
    assertThat(custom.rules().proceeds()).isFalse();
    assertThat(custom.drainer()).isEqualTo("custom");
    assertThat(custom.nodes().matches(Map.of())).isTrue();
    assertThat(custom.waitForKind()).isFalse();
  }

  @Test
  void theAdditionalKeysOfCustomDrainsAreRead() throws IOException {
    String toml =
        published("node-drainer.toml").replace("timeout = \"1800\"", "timeout = \"30m\"")
            + """
              nodeSelector = "scheduler=slurm"
              onTimeout = "proceed"
              failureConditionType = "Broken"
              failureConditionStatus = "Yes"
              drainer = "slinky-drainer"
              waitForKind = true
              [[userNamespaces]]
              name = "*"
              mode = "Immediate"
              """;
    CustomDrainConfig custom = parse(toml).customDrain().orElseThrow();

    assertThat(custom.rules().timeout()).isEqualTo(Duration.ofMinutes(30));
    assertThat(custom.rules().proceeds()).isTrue();
    assertThat(custom.rules().failed()).isEqualTo(new Reported("Broken", "Yes"));
    assertThat(custom.drainer()).isEqualTo("slinky-drainer");
    assertThat(custom.nodes().matches(Map.of("scheduler", "slurm"))).isTrue();
    assertThat(custom.nodes().matches(Map.of())).isFalse();
    assertThat(custom.waitForKind()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x = = 1                                    | drainer.toml, line 1: not valid TOML
          evictionTimeoutInSeconds = "soon"          | evictionTimeoutInSeconds is "soon", not a number
          burst = -1                                 | burst is -1
          drainGPUPods = "yes"                       | drainGPUPods is "yes", neither true nor false
          systemNamespaces = "("                     | systemNamespaces is not a regular expression
          stuckPods = "hope"                         | stuckPods is "hope", which is none of leave, forceDelete, wait
          onDrainDeadline = "x"                      | onDrainDeadline is "x", which is none of
          userNamespaces = [{name="a",mode="Later"}] | userNamespaces[0].mode is "Later", which is none of Immediate, AllowCompletion
          userNamespaces = [{name="",mode="Immediate"}]   | userNamespaces[0].name is empty
          userNamespaces = [{name="[a",mode="Immediate"}] | userNamespaces[0].name: "[a" is not a valid pattern
          podDrainPolicies = [{name="a",mode="Immediate"}] | podDrainPolicies[0].podSelector must not be empty
          podDrainPolicies = [{name="",podSelector="a",mode="Immediate"}] | podDrainPolicies[0].name
          podDrainPolicies = [{name="a",podSelector="a in",mode="Immediate"}] | podDrainPolicies[0].podSelector:
          customDrain = {enabled=true}               | customDrain.templateMountPath is missing
          """)
  void aMistakeIsRefusedAndNamed(String toml, String message) {
    assertThatThrownBy(() -> parse(toml))
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageContaining(message)
        .satisfies(refused -> assertThat(String.valueOf(refused.getMessage()).lines()).hasSize(1));
  }

  @Test
  void whatExcludesEachOtherIsRefused() throws IOException {
    String custom = published("node-drainer.toml");
    String namespaces = "[[userNamespaces]]\nname = \"*\"\nmode = \"Immediate\"\n";
    String policies = "[[podDrainPolicies]]\nname=\"a\"\npodSelector=\"a\"\nmode=\"Immediate\"\n";

    refused(namespaces + policies, "userNamespaces and podDrainPolicies exclude each other");
    refused(custom + namespaces, "customDrain and userNamespaces exclude each other");
    refused(custom + policies, "customDrain and podDrainPolicies exclude each other");
    refused(custom + "nodeSelector = \"a\"\n", "customDrain.nodeSelector needs userNamespaces");
    refused(custom.replace("\"1800\"", "\"later\""), "customDrain.timeout is \"later\"");
    refused(
        custom.replace("drain-template.yaml", "none.yaml"),
        "there is no template " + folder.resolve("none.yaml"));
    Files.writeString(folder.resolve("drain-template.yaml"), "{{ range }}");
    refused(custom, "customDrain: template drain-template.yaml, line 1: missing value for range");
  }

  private void refused(String toml, String message) {
    assertThatThrownBy(() -> parse(toml))
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageContaining(message);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> NodeDrainerFile.read(folder.resolve("none.toml")))
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageContaining("no file");
  }

  @ParameterizedTest
  @CsvSource({
    "*, anything, true",
    "team-?, team-a, true",
    "team-?, team-ab, false",
    "[a-c]x, bx, true",
    "[^a-c]x, bx, false",
    "[^a-c]x, dx, true",
    "a\\*b, a*b, true",
    "a\\*b, axb, false",
    "[\\-x], -, true",
    "a.b, axb, false",
    "'', '', true"
  })
  void patternsMatchAsInGo(String pattern, String name, boolean matches) {
    assertThat(NamePattern.of(pattern).matches(name)).isEqualTo(matches);
  }
}

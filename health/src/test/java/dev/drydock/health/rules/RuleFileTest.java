package dev.drydock.health.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.decide.BreakerLimits;
import dev.drydock.health.decide.TestEvents;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleFileTest {
  private static final String SET =
      """
      [[rule-sets]]
      enabled = true
      name = "gpu"
      priority = 7
      [[rule-sets.match.%s]]
      kind = "%s"
      expression = "%s"
      [rule-sets.taint]
      key = "gpu"
      value = "broken"
      effect = "NoExecute"
      [rule-sets.cordon]
      shouldCordon = true
      """;

  private static QuarantineRules rule(String kind, String expression) {
    return RuleFile.parse(SET.formatted("any", kind, expression), "rules.toml");
  }

  private static Map<String, Object> node(String labels) {
    try {
      return EventVariables.ofNode(
          Json.read("{\"name\": \"node-1\", \"labels\": " + labels + "}"),
          Json.read("{\"unschedulable\": true}"));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static List<String> matching(QuarantineRules rules, HealthEvent event, String labels) {
    return rules.matching(event, node(labels), (_, _) -> {});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event.isFatal && !event.isHealthy",
        "event.recommendedAction == 15",
        "event.recommendedAction in [15, 24]",
        "event.errorCode.exists(code, code == '79')",
        "event.entitiesImpacted.all(e, e.entityType == 'GPU')",
        "event.metadata['rack'] == 'r1'",
        "event.agent.startsWith('gpu-') && event.checkName.lowerAscii() == 'gpuxiderror'",
        "event.drainOverrides == null && event.processingStrategy == 0",
        "event.generatedTimestamp.seconds == 1782907200"
      })
  void expressionsSeeAllFieldsOfAnEvent(String expression) {
    HealthEvent event =
        TestEvents.unhealthy("1")
            .errorCode("79")
            .entity("GPU", "0")
            .metadata("rack", "r1")
            .generatedTimestamp(TestEvents.NOW)
            .build();

    assertThat(matching(rule("HealthEvent", expression), event, "{}")).containsExactly("gpu");
  }

  @Test
  void listsThatAreAbsentAreNullAndErrorsDoNotMatch() {
    HealthEvent event = TestEvents.unhealthy("1").build();

    assertThat(matching(rule("HealthEvent", "event.errorCode == null"), event, "{}")).isNotEmpty();
    QuarantineRules failing = rule("HealthEvent", "event.errorCode.exists(c, c == '79')");
    RuleSet.Verdict[] verdict = new RuleSet.Verdict[1];
    assertThat(failing.matching(event, node("{}"), (_, seen) -> verdict[0] = seen)).isEmpty();
    assertThat(verdict[0]).isEqualTo(RuleSet.Verdict.ERROR);
    assertThat(matching(rule("HealthEvent", "event.message"), event, "{}")).isEmpty();
  }

  @Test
  void expressionsOnNodesSeeMetadataAndSpecOnly() {
    HealthEvent event = TestEvents.unhealthy("1").build();

    assertThat(matching(rule("Node", "node.spec.unschedulable"), event, "{}")).isNotEmpty();
    assertThat(matching(rule("Node", "'a' in node.metadata.labels"), event, "{\"a\": \"b\"}"))
        .isNotEmpty();
    assertThat(matching(rule("Node", "has(node.status)"), event, "{}")).isEmpty();
  }

  @Test
  void theOriginalsKeysAreRead() {
    QuarantineRules rules =
        RuleFile.parse(
            """
            label-prefix = "x/"
            [circuitBreaker]
            percentage = 20
            duration = "1h30m"
            maxNodes = 4
            [strikes]
            limit = 3
            window = "2h"
            """
                + SET.formatted("all", "HealthEvent", "true")
                + """
                [rule-sets.label]
                key = "fault"
                value = "gpu"
                """,
            "rules.toml");

    assertThat(rules.labelPrefix()).isEqualTo("x/");
    assertThat(rules.breaker())
        .isEqualTo(new BreakerLimits(true, 20, 4, Duration.ofMinutes(90), 3, List.of(), 0, 0, 80));
    assertThat(rules.strikes().limit()).isEqualTo(3);
    assertThat(rules.sets().getFirst().actions().priority()).isEqualTo(7);
    assertThat(rules.sets().getFirst().actions().label()).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HealthEvent | event.isFatal &&     | rule set "gpu": match.any[0]: not a valid CEL expression
          HealthEvent | nothing.isFatal      | rule set "gpu": match.any[0]: not a valid CEL expression
          HealthEvent | 1 + 1                | rule set "gpu": match.any[0]: the expression must be true or false
          Pod         | true                 | kind "Pod" is neither HealthEvent nor Node
          """)
  void anExpressionThatCannotBeUsedNamesItsRuleSet(String kind, String expression, String message) {
    assertThatThrownBy(() -> rule(kind, expression))
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageStartingWith("rules.toml: ")
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a = 1\\nb = = 2                                         | rules.toml, line 2: not valid TOML
          [circuitBreaker]\\npercentage = 200                     | percentage is 200, not a number from 0 to 100
          [circuitBreaker]\\npercentage = 0                       | percentage and maxNodes are both 0
          [circuitBreaker]\\nduration = "soon"                    | duration is "soon", not a duration
          [[rule-sets]]\\nenabled = true                          | rule set 1: it has no name
          [[rule-sets]]\\nenabled = true\\nname = "x"             | it has neither match.any nor match.all
          [validation]\\nenabled = true                           | it has no [[validation.ruleSets]]
          [validation]\\nenabled = true\\n[[validation.ruleSets]]\\nname = "x" | it names no tests
          [validation]\\nenabled = true\\n[[validation.ruleSets]]\\nname = "x"\\ntests = ["t"] | it has neither match.any nor match.all
          [validation]\\nenabled = true\\n[[validation.ruleSets]]\\nname = "x"\\ntests = ["t"]\\n[[validation.ruleSets.match.any]]\\nkind = "Node"\\nexpression = "true" | only rules of kind HealthEvent
          [validation]\\nenabled = true\\n[[validation.ruleSets]]\\nname = "x"\\ntests = ["t"]\\n[[validation.ruleSets.match.any]]\\nkind = "HealthEvent"\\nexpression = "true" | [validation]: version is missing
          """)
  void aFileThatCannotBeUsedSaysWhy(String text, String message) {
    assertThatThrownBy(() -> RuleFile.parse(text.replace("\\n", "\n"), "rules.toml"))
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageContaining(message);
  }

  @Test
  void disabledRuleSetsAreLeftOut() {
    String disabled = SET.formatted("any", "Pod", "(").replace("enabled = true", "enabled = false");

    assertThat(RuleFile.parse(disabled, "rules.toml").sets()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "gpu-health-monitor, GPU, GpuXidError, true",
    "gpu-health-monitor, NIC, GpuXidError, false",
    "csp-health-monitor, CSP, CSPMaintenance, true",
    "csp-health-monitor, CSP, Other, false",
    "syslog-health-monitor, NIC, SysLogsXIDError, true",
    "nic-health-monitor, NIC, LinkDown, true",
    "kubernetes-object-monitor, Node, NodeNotReady, true",
    "preflight-dcgm, GPU, Diag, true",
    "somebody, GPU, GpuXidError, false"
  })
  void theShippedRulesMatchFatalEventsOfTheirMonitors(
      String agent, String component, String check, boolean matches) {
    QuarantineRules shipped = RuleFile.shipped();
    HealthEvent event =
        TestEvents.unhealthy("1").agent(agent).componentClass(component).checkName(check).build();

    assertThat(matching(shipped, event, "{}").size()).isEqualTo(matches ? 1 : 0);
    assertThat(matching(shipped, event.toBuilder().isFatal(false).build(), "{}")).isEmpty();
    for (String label :
        List.of("k8saas.nvidia.com/ManagedByNVSentinel", "nvsentinel.dgxc.nvidia.com/managed")) {
      assertThat(matching(shipped, event, "{\"" + label + "\": \"false\"}")).isEmpty();
      assertThat(matching(shipped, event, "{\"" + label + "\": \"true\"}").size())
          .isEqualTo(matches ? 1 : 0);
    }
  }

  @Test
  void theShippedRulesTakeMaintenanceRequests() {
    HealthEvent event =
        HealthEvent.builder()
            .agent("somebody")
            .recommendedAction(RecommendedAction.NONE)
            .metadata("maintenanceRequestName", "mr-1")
            .build();

    assertThat(matching(RuleFile.shipped(), event, "{}")).hasSize(1);
    assertThat(RuleFile.shipped().sets()).hasSize(7).allMatch(set -> set.actions().cordon());
  }
}

package dev.drydock.lifecycle.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleTransitionSpec.Requirement;
import dev.drydock.contracts.lifecycle.LifecycleTransitionSpec.Term;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeCoverageTest {
  private static final Map<String, String> LABELS = Map.of("zone", "a", "slots", "8", "gpu", "");

  @Test
  void allNodesAreCoveredOrOneByName() {
    assertThat(new NodeCoverage.AllNodes().covers("n1", Map.of())).isTrue();
    assertThat(new NodeCoverage.OneNode("n1").covers("n1", Map.of())).isTrue();
    assertThat(new NodeCoverage.OneNode("n1").covers("n10", Map.of())).isFalse();
    assertThat(new NodeCoverage.Nothing().covers("n1", LABELS)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          zone  | In           | a,b | true
          zone  | In           | b   | false
          other | In           | a   | false
          zone  | NotIn        | b   | true
          zone  | NotIn        | a   | false
          other | NotIn        | a   | true
          gpu   | Exists       |     | true
          other | Exists       |     | false
          other | DoesNotExist |     | true
          gpu   | DoesNotExist |     | false
          slots | Gt           | 7   | true
          slots | Gt           | 8   | false
          slots | Lt           | 9   | true
          slots | Lt           | 8   | false
          zone  | Gt           | 1   | false
          zone  | Lt           | 1   | false
          other | Gt           | 1   | false
          slots | Gt           |     | false
          zone  | Like         | a   | false
          """)
  void labelsAreComparedAsNodeAffinityDoes(
      String key, String operator, String values, boolean covered) {
    Requirement requirement = new Requirement(key, operator, values(values));

    assertThat(NodeCoverage.of(new Term(List.of(requirement), List.of())).covers("n1", LABELS))
        .isEqualTo(covered);
  }

  private static List<String> values(String text) {
    return text == null ? List.of() : List.of(text.split(","));
  }

  @Test
  void everyRequirementMustHold() {
    Requirement zone = new Requirement("zone", "In", List.of("a"));
    Requirement gpu = new Requirement("gpu", "Exists", List.of());
    Requirement name = new Requirement("metadata.name", "In", List.of("n1"));

    assertThat(NodeCoverage.of(new Term(List.of(zone, gpu), List.of(name))).covers("n1", LABELS))
        .isTrue();
    assertThat(NodeCoverage.of(new Term(List.of(zone, gpu), List.of(name))).covers("n2", LABELS))
        .isFalse();
    assertThat(
            NodeCoverage.of(new Term(List.of(zone, gpu), List.of()))
                .covers("n1", Map.of("zone", "a")))
        .isFalse();
  }

  @Test
  void aTermThatRequiresNothingSelectsNothing() {
    assertThat(NodeCoverage.of(new Term(List.of(), List.of())).covers("n1", LABELS)).isFalse();
  }

  @Test
  void aLabelOfThatNameIsNotTheNameOfTheNode() {
    Requirement name = new Requirement("metadata.name", "In", List.of("n1"));

    assertThat(NodeCoverage.of(new Term(List.of(name), List.of())).covers("n1", Map.of()))
        .isFalse();
  }
}

package dev.drydock.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.LabelSelector.Operator;
import dev.drydock.contracts.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {
  private static final Map<String, String> LABELS =
      Map.of("a", "b", "tier", "db", "n", "5", "empty", "", "x.org/y", "z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "a=b|true",
        "a==b|true",
        "a = b|true",
        "a=c|false",
        "a!=c|true",
        "a!=b|false",
        "missing!=b|true",
        "a in (b,c)|true",
        "a in (c, d)|false",
        "a in(b)|true",
        "missing in (b)|false",
        "a notin (b,c)|false",
        "a notin (c)|true",
        "missing notin (c)|true",
        "a|true",
        "missing|false",
        "!missing|true",
        "! a|false",
        "empty|true",
        "empty=|true",
        "a=|false",
        "empty in ()|true",
        "empty in (x,)|true",
        "n>4|true",
        "n>5|false",
        "n<6|true",
        "a>4|false",
        "missing<4|false",
        "x.org/y=z|true",
        "a=b,tier in (db,web),!gone,n|true",
        "a=b,tier in (web,app)|false",
        "' '|true"
      })
  void matchesAsKubectlDoes(String selector, boolean expected) {
    assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=b,",
        ",a",
        "a=b c",
        "a in b",
        "a in (b",
        "a in b)",
        "=b",
        "!",
        "a!b",
        "a=b=c",
        "-a=b",
        "a=-b",
        "/a=b",
        "X.org/a=b",
        "a>b",
        "a>",
        "a in (b)(c)",
        "a\n=b\n;"
      })
  void saysInOneLineWhatIsWrong(String selector) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .startsWith("selector \"")
        .doesNotContain("\n")
        .contains("write it like");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=b,c!=d,e in (x,y),!f,g", "a notin (b,c),n>4,m<2"})
  void printsWhatItReads(String selector) {
    assertThat(LabelSelector.parse(selector).toString()).isEqualTo(selector);
    assertThat(LabelSelector.parse(LabelSelector.parse(selector).toString()))
        .isEqualTo(LabelSelector.parse(selector));
  }

  @Test
  void labelsAndExpressionsMustAllHold() {
    LabelSelector selector =
        LabelSelector.of(
            Map.of("a", "b"), List.of(Requirement.of("tier", Operator.NOT_IN, "web", "app")));

    assertThat(selector.matches(LABELS)).isTrue();
    assertThat(selector.matches(Map.of("a", "b", "tier", "web"))).isFalse();
    assertThat(selector.matches(Map.of("tier", "db"))).isFalse();
  }

  @Test
  void requirementsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> Requirement.of("a", Operator.IN))
        .hasMessage("label a in a selector needs at least one value");
    assertThatThrownBy(() -> Requirement.of("a", Operator.EXISTS, "b"))
        .hasMessage("label a in a selector takes no value");
  }
}

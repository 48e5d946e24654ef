package dev.drydock.sim.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorsTest {
  private static final ObjectNode WEB = JsonTrees.object();

  static {
    ObjectNode labels = JsonTrees.child(JsonTrees.metadata(WEB), "labels");
    labels.put("app", "web").put("example.com/tier", "front").put("empty", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app=web | true",
        "app==web | true",
        "app = web , example.com/tier=front | true",
        "app=web,example.com/tier=back | false",
        "app!=db | true",
        "app!=web | false",
        "absent!=x | true",
        "app in (db, web) | true",
        "app in (db) | false",
        "app notin (db) | true",
        "absent notin (db) | true",
        "app | true",
        "absent | false",
        "!absent | true",
        "!app | false",
        "empty= | true",
      })
  void selects(String selector, boolean selected) {
    assertThat(LabelSelectors.matches(LabelSelectors.parse(selector), WEB)).isEqualTo(selected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"app=web=x", "app in web", "(a)", "a b"})
  void refusesWhatIsNoSelector(String selector) {
    assertThatThrownBy(() -> LabelSelectors.parse(selector))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readsSelectorsOfObjects() {
    ObjectNode selector = JsonTrees.object();
    JsonTrees.child(selector, "matchLabels").put("app", "web");
    ObjectNode expression = selector.withArray("matchExpressions").addObject();
    expression.put("key", "example.com/tier").put("operator", "NotIn");
    expression.withArray("values").add("back");

    assertThat(LabelSelectors.matches(LabelSelectors.of(selector), WEB)).isTrue();
    assertThat(LabelSelectors.matches(LabelSelectors.of(selector), JsonTrees.object())).isFalse();
    assertThat(LabelSelectors.matches(LabelSelectors.of(JsonTrees.object()), JsonTrees.object()))
        .isTrue();
  }
}

package dev.drydock.sim.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {
  private static final ObjectNode WEB = Json.object();

  static {
    ObjectNode labels = Json.child(Json.metadata(WEB), "labels");
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
    assertThat(LabelSelector.parse(selector).matches(WEB)).isEqualTo(selected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"app=web=x", "app in web", "(a)", "a b"})
  void refusesWhatIsNoSelector(String selector) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readsSelectorsOfObjects() {
    ObjectNode selector = Json.object();
    Json.child(selector, "matchLabels").put("app", "web");
    ObjectNode expression = selector.withArray("matchExpressions").addObject();
    expression.put("key", "example.com/tier").put("operator", "NotIn");
    expression.withArray("values").add("back");

    assertThat(LabelSelector.of(selector).matches(WEB)).isTrue();
    assertThat(LabelSelector.of(selector).matches(Json.object())).isFalse();
    assertThat(LabelSelector.of(Json.object()).matches(Json.object())).isTrue();
  }
}

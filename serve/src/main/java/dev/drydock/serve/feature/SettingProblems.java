package dev.drydock.serve.feature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.NearestName;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Collects the mistakes in the value of one setting.
 *
 * @param sink gets the place in the value, and the mistake
 */
public record SettingProblems(BiConsumer<String, String> sink) {
  /**
   * Takes down a problem.
   *
   * @param below where in the value, e.g. {@code [0].type}; empty for all of it
   */
  public void add(String below, String what) {
    sink.accept(below, what);
  }

  public void wanted(String text, String wanted) {
    add("", "\"" + text + "\" should be " + wanted);
  }

  /** Reports unknown keys of an object. */
  public void checkKeys(JsonNode object, String below, List<String> known) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!known.contains(entry.getKey())) {
        add(
            below + "." + entry.getKey(),
            "there is no such key; " + NearestName.meant(entry.getKey(), known));
      }
    }
  }
}

package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Map;

/**
 * How much may be kept of one object. A tenant may write objects of more than a megabyte, and
 * hundreds of them; those that Drydock is meant for have a few KiB.
 */
public final class KeptSize {
  /** In bytes of memory, so that a thousand such objects take a fifth of the operator's memory. */
  public static final int MOST = 64 * 1024;

  /** What a value costs beside its text. */
  private static final int VALUE = 64;

  private KeptSize() {}

  /**
   * Checks the part of an object that is kept.
   *
   * @throws IllegalStateException if it is too large, so the object cannot be read
   */
  public static void check(JsonNode part) {
    if (isTooLarge(part)) {
      throw new IllegalStateException(problem(part));
    }
  }

  /** What is wrong with a part that is too large. */
  static String problem(JsonNode part) {
    return "too large: %d KiB, at most %d KiB".formatted((of(part) + 1023) / 1024, MOST / 1024);
  }

  /** Whether this part alone is too large to be kept. */
  public static boolean isTooLarge(JsonNode part) {
    return of(part) > MOST;
  }

  /** What texts take in memory. */
  public static long of(Collection<String> texts) {
    long size = 0;
    for (String text : texts) {
      size += VALUE + text.length();
    }
    return size;
  }

  private static long of(JsonNode value) {
    long size = VALUE;
    if (value.isTextual()) {
      return size + value.textValue().length();
    }
    for (JsonNode element : value.isArray() ? value : Json.array()) {
      size += of(element);
    }
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      size += VALUE + field.getKey().length() + of(field.getValue());
    }
    return size;
  }
}

package dev.drydock.slingshot.decide;

import dev.drydock.contracts.Sha256;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** API objects as plain maps and lists, as they are written. */
public final class Tree {
  private static final int HASH_LENGTH = 10;

  private Tree() {}

  /** Keys and values in turn; a value of null leaves its key out. */
  public static Map<String, Object> of(@Nullable Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      Object value = keysAndValues[i + 1];
      if (value != null) {
        map.put(String.valueOf(keysAndValues[i]), value);
      }
    }
    return map;
  }

  /** The part of a tree at a key; empty if there is none. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> child(Map<String, Object> tree, String key) {
    return tree.get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** The list of trees at a key; empty if there is none. */
  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> children(Map<String, Object> tree, String key) {
    return tree.get(key) instanceof List<?> list ? (List<Map<String, Object>>) list : List.of();
  }

  /** The text at a key; empty if there is none. */
  public static String text(Map<String, Object> tree, String key) {
    Object value = tree.get(key);
    return value == null ? "" : String.valueOf(value);
  }

  /** The same for equal content, whatever the order of keys. */
  public static String hash(Object content) {
    return Sha256.hex(canonical(content)).substring(0, HASH_LENGTH);
  }

  private static String canonical(@Nullable Object content) {
    return switch (content) {
      case Map<?, ?> map -> {
        Map<String, String> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put(String.valueOf(key), canonical(value)));
        yield sorted.toString();
      }
      case Collection<?> list -> list.stream().map(Tree::canonical).toList().toString();
      case null -> "";
      // with its length, so that no text looks like a structure
      default -> String.valueOf(content).length() + ":" + content;
    };
  }
}

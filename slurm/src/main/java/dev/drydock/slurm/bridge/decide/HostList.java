package dev.drydock.slurm.bridge.decide;

import java.util.ArrayList;
import java.util.List;

/** Lists of node names as Slurm abbreviates them: {@code n[1-3,7],gpu-[001-016]}. */
public final class HostList {
  /** More than any cluster has; a longer list is a mistake. */
  private static final int MOST = 100_000;

  private HostList() {}

  /**
   * All names of the list.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public static List<String> names(String list) {
    List<String> names = new ArrayList<>();
    for (String part : split(list)) {
      if (!part.isBlank()) {
        names.addAll(expand(part.strip()));
      }
      check(names.size() <= MOST, list);
    }
    return names;
  }

  /** Splits at commas outside of brackets. */
  private static List<String> split(String list) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      check(depth == 0 || depth == 1, list);
      if (c == ',' && depth == 0) {
        parts.add(list.substring(from, i));
        from = i + 1;
      }
    }
    check(depth == 0, list);
    parts.add(list.substring(from));
    return parts;
  }

  /** Expands the first brackets, then those after them. */
  private static List<String> expand(String part) {
    int open = part.indexOf('[');
    if (open < 0) {
      return List.of(part);
    }
    int close = part.indexOf(']', open);
    String before = part.substring(0, open);
    List<String> ends = expand(part.substring(close + 1));
    List<String> names = new ArrayList<>();
    for (String number : numbers(part.substring(open + 1, close))) {
      for (String end : ends) {
        names.add(before + number + end);
      }
      check(names.size() <= MOST, part);
    }
    return names;
  }

  /** Numbers keep their leading zeros. */
  private static List<String> numbers(String ranges) {
    List<String> numbers = new ArrayList<>();
    for (String range : ranges.split(",", -1)) {
      String[] ends = range.split("-", -1);
      check(ends.length <= 2 && range.matches("\\d{1,9}(-\\d{1,9})?"), ranges);
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      check(last - first < MOST && first <= last, ranges);
      for (int i = first; i <= last; i++) {
        numbers.add(String.format("%0" + ends[0].length() + "d", i));
      }
    }
    return numbers;
  }

  private static void check(boolean readable, String list) {
    if (!readable) {
      throw new IllegalArgumentException("not a list of nodes: " + list);
    }
  }
}

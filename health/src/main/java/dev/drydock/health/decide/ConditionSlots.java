package dev.drydock.health.decide;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which checks are shown as conditions of a node. There are only so many, because each makes the
 * Node larger and whoever sends events gives them their names. A failed check takes the place of
 * one that is well.
 *
 * @param hidden checks without a condition
 * @param removed conditions that make room for others
 * @param full whether a failed check is hidden
 */
public record ConditionSlots(Set<String> hidden, Set<String> removed, boolean full) {
  /** All of them with the longest messages are a tenth of what a Node may have. */
  public static final int MOST = 64;

  public ConditionSlots {
    hidden = Set.copyOf(hidden);
    removed = Set.copyOf(removed);
  }

  /**
   * Chooses.
   *
   * @param present checks that have a condition, whether each has failed; the longest unchanged
   *     first
   * @param wanted the same of checks that are to have one now
   */
  public static ConditionSlots of(Map<String, Boolean> present, Map<String, Boolean> wanted) {
    Map<String, Boolean> shown = new LinkedHashMap<>(present);
    shown.replaceAll((check, failed) -> wanted.getOrDefault(check, failed));
    Set<String> hidden = new LinkedHashSet<>();
    Set<String> removed = new HashSet<>();
    boolean full = false;
    for (boolean failed : List.of(true, false)) {
      for (String check : wanted.keySet()) {
        if (wanted.getOrDefault(check, false) != failed || shown.containsKey(check)) {
          continue;
        }
        Optional<String> well =
            failed && shown.size() >= MOST
                ? shown.keySet().stream().filter(one -> !shown.getOrDefault(one, true)).findFirst()
                : Optional.empty();
        well.ifPresent(
            name -> {
              shown.remove(name);
              removed.add(name);
            });
        if (shown.size() < MOST) {
          shown.put(check, failed);
        } else {
          hidden.add(check);
          full |= failed;
        }
      }
    }
    wanted.keySet().stream().filter(removed::contains).forEach(hidden::add);
    return new ConditionSlots(hidden, removed, full);
  }
}

package dev.drydock.drain.command;

import dev.drydock.drain.engine.decide.Decision;
import java.util.List;
import java.util.Set;

/**
 * Warnings name pods, and the set of pods shrinks: each warning is shown once, when it first
 * appears. If pods are refused none is shown, because no pod will be touched.
 */
final class DrainWarnings {
  private DrainWarnings() {}

  /** Adds the returned warnings to {@code told}, so that they are not returned again. */
  static List<String> notToldYet(Decision decision, Set<String> told) {
    if (decision.status() == Decision.Status.REFUSED) {
      return List.of();
    }
    return decision.warnings().stream()
        .filter(line -> told.add(line.substring(0, line.indexOf(':'))))
        .toList();
  }
}

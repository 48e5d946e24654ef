package dev.drydock.drain.command;

import dev.drydock.drain.engine.decide.Decision;
import java.util.List;
import java.util.Set;

/**
 * Warnings name pods, of which there are fewer and fewer: each is told once, with the first. Where
 * pods are refused none is told, because nothing is going to happen to any pod.
 */
final class DrainWarnings {
  private DrainWarnings() {}

  /** Adds what it returns to {@code told}, so that it is not returned again. */
  static List<String> notToldYet(Decision decision, Set<String> told) {
    if (decision.status() == Decision.Status.REFUSED) {
      return List.of();
    }
    return decision.warnings().stream()
        .filter(line -> told.add(line.substring(0, line.indexOf(':'))))
        .toList();
  }
}

package dev.drydock.serve.feature;

import java.util.List;

/**
 * A part of a node's history.
 *
 * @param name of the object that it is about
 * @param steps in order
 */
public record HistoryPart(Scope scope, String name, List<HistoryStep> steps) {
  /** When it is shown. */
  public enum Scope {
    /** The history of a task, which {@code --id} can choose. */
    TASK,
    /** Shown together with the task of the same name. */
    PART_OF_TASK,
    /** The history of the node itself. */
    NODE
  }
}

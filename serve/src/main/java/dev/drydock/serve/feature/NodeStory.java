package dev.drydock.serve.feature;

import java.util.List;

/**
 * A part of a node's history.
 *
 * @param name of the object that it is about
 * @param steps in order
 */
public record NodeStory(Scope scope, String name, List<HistoryStep> steps) {
  /** Whom it is told to. */
  public enum Scope {
    /** Of a task, which {@code --id} can choose. */
    TASK,
    /** Told together with the task that has the same name. */
    PART_OF_TASK,
    /** Of the node itself. */
    NODE
  }
}

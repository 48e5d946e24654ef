package dev.drydock.health.store;

/** What a consumer gets first that has no position yet. */
public enum FeedStart {
  /** All events that are stored, as {@link Change.Kind#LISTED}, then every change. */
  LIST,
  /** Only changes from now on. */
  NOW,
  /** Only changes from now on, and no position is kept: for somebody who looks once. */
  UNSAVED
}

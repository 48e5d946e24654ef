package dev.drydock.health.store;

/** What a consumer gets first that has no position yet. */
public enum FeedStart {
  /** All events that are stored, as {@link Change.Kind#LISTED}, then every change. */
  LIST,
  /** Only changes from now on. */
  NOW
}

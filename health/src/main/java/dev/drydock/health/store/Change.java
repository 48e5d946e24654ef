package dev.drydock.health.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something happened to an event.
 *
 * @param token the position in the store's history, in the store's own form
 * @param event as it is now; a later change may be in it already
 * @param update what was written; {@link StatusUpdate#NONE} unless updated
 */
public record Change(String token, Kind kind, StoredEvent event, StatusUpdate update) {
  /** What happened. */
  public enum Kind {
    INSERTED,
    UPDATED,
    /** The history before is lost, or the consumer is new: this is what is there. */
    LISTED
  }

  /** There is one change at a position. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Change change
        && change.token.equals(token)
        && change.event.id().equals(event.id())
        && change.kind == kind;
  }

  @Override
  public int hashCode() {
    return Objects.hash(token, event.id(), kind);
  }
}

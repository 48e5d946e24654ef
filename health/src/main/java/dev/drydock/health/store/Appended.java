package dev.drydock.health.store;

import java.util.List;

/**
 * The outcome of an append.
 *
 * @param ids of the events, in their order; of an event that was there already, its id
 * @param duplicates how many were there already
 */
public record Appended(List<String> ids, int duplicates) {
  public Appended {
    ids = List.copyOf(ids);
  }
}

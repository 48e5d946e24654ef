package dev.drydock.sim.fields;

import java.util.List;

/** A configuration would change fields of other owners. */
public final class OwnedByOthers extends RuntimeException {
  /** A field and its owner. */
  public record Conflict(String owner, String field) {}

  private final List<Conflict> conflicts;

  OwnedByOthers(List<Conflict> conflicts) {
    super("others own " + conflicts);
    this.conflicts = conflicts;
  }

  public List<Conflict> conflicts() {
    return conflicts;
  }
}

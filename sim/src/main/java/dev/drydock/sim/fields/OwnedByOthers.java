package dev.drydock.sim.fields;

import java.util.List;

/** A configuration that would change fields which others own. */
public final class OwnedByOthers extends RuntimeException {
  /** A field, and by whose words it is as it is. */
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

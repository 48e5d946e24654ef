package dev.drydock.maintenance.decide.campaign;

/**
 * A mistake in a campaign's spec.
 *
 * @param field where, e.g. {@code spec.windows[0].schedule}
 * @param message what is wrong, and what to write instead
 */
public record SpecMistake(String field, String message) {
  @Override
  public String toString() {
    return field + ": " + message;
  }
}

package dev.drydock.maintenance.decide.campaign;

/**
 * Something wrong in a campaign.
 *
 * @param field where, e.g. {@code spec.windows[0].schedule}
 * @param message what, and what to write instead
 */
public record SpecMistake(String field, String message) {
  @Override
  public String toString() {
    return field + ": " + message;
  }
}

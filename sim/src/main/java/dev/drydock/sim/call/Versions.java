package dev.drydock.sim.call;

import dev.drydock.sim.api.StatusException;

/** Parses resource versions in requests. */
final class Versions {
  private Versions() {}

  static long parse(String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw StatusException.badRequest(
          "Invalid value: \"%s\": not a resource version".formatted(text));
    }
  }
}

package dev.drydock.sim.store;

/** The events since this version are no longer kept. */
public final class VersionForgotten extends RuntimeException {
  VersionForgotten(long asked, long oldest) {
    super("too old resource version: %d (%d)".formatted(asked, oldest));
  }
}

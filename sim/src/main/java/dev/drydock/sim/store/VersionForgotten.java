package dev.drydock.sim.store;

/** What happened since this version is no longer remembered. */
public final class VersionForgotten extends RuntimeException {
  VersionForgotten(long asked, long oldest) {
    super("too old resource version: %d (%d)".formatted(asked, oldest));
  }
}

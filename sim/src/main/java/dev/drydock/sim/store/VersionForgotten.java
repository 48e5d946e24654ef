package dev.drydock.sim.store;

/** What happened since this version is no longer remembered. */
public final class VersionForgotten extends RuntimeException {
  private final long asked;
  private final long oldest;

  VersionForgotten(long asked, long oldest) {
    super("too old resource version: %d (%d)".formatted(asked, oldest));
    this.asked = asked;
    this.oldest = oldest;
  }

  public long asked() {
    return asked;
  }

  public long oldest() {
    return oldest;
  }
}

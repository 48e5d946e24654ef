package dev.drydock.sim.json;

/** A patch that cannot be applied to this document. */
public final class PatchRefused extends RuntimeException {
  public PatchRefused(String message) {
    super(message);
  }
}

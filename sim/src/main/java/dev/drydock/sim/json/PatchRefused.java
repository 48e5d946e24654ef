package dev.drydock.sim.json;

/** A patch that makes no sense on this document. */
public final class PatchRefused extends RuntimeException {
  public PatchRefused(String message) {
    super(message);
  }
}

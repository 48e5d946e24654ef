package dev.drydock.kube;

/** An object is there but cannot be read: it is not gone, so what depends on it has to wait. */
public final class UnreadableObject extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * @param what kind and name
   */
  public UnreadableObject(String what, String why) {
    super("%s cannot be read: %s".formatted(what, why));
  }
}

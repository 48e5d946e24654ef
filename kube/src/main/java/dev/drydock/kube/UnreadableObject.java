package dev.drydock.kube;

/** An object exists but cannot be parsed. It is not gone, so work that depends on it waits. */
public final class UnreadableObject extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  /**
   * @param what kind and name
   */
  public UnreadableObject(String what, String why) {
    super("%s cannot be read: %s".formatted(what, why));
  }
}

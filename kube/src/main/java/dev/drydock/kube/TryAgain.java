package dev.drydock.kube;

/** A step cannot be finished now, though every request was answered; it is repeated later. */
public final class TryAgain extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  public TryAgain(String line) {
    super(line);
  }
}

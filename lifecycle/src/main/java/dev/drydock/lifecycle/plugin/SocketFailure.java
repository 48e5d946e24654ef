package dev.drydock.lifecycle.plugin;

import dev.drydock.kube.ExpectedFailure;

/** A socket cannot be made or does not answer at present. */
final class SocketFailure extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  private final boolean logged;

  SocketFailure(String line, boolean logged) {
    super(line);
    this.logged = logged;
  }

  @Override
  public boolean shouldLog() {
    return logged;
  }
}

package dev.drydock.cli;

/** Runs an action if the program is stopped, e.g. by Ctrl-C, before this is closed. */
public final class WhenStopped implements AutoCloseable {
  private final Thread hook;

  public WhenStopped(Runnable action) {
    hook = Thread.ofPlatform().unstarted(action);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // the program is shutting down and the hook is running
    }
  }
}

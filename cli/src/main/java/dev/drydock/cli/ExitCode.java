package dev.drydock.cli;

/** Exit codes. They are part of the interface: their meaning never changes. */
public final class ExitCode {
  /** Success. */
  public static final int OK = 0;

  /** Failure; standard error says why in one line. */
  public static final int FAILED = 1;

  /** The command line is invalid; nothing was attempted. */
  public static final int USAGE = 2;

  /** The command can never succeed until a person changes something. */
  public static final int IMPOSSIBLE = 3;

  private ExitCode() {}
}

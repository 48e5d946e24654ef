package dev.drydock.cli;

import org.jspecify.annotations.Nullable;

/**
 * A command failed. The message is the one line that the user sees: what is wrong, and what to do.
 */
public final class CommandFailure extends RuntimeException {
  private final int exitCode;

  public CommandFailure(String message) {
    this(ExitCode.FAILED, message, null);
  }

  public CommandFailure(String message, Throwable cause) {
    this(ExitCode.FAILED, message, cause);
  }

  private CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The command line is contradictory or incomplete. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message, null);
  }

  public int exitCode() {
    return exitCode;
  }
}

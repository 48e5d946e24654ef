package dev.drydock.cli;

/**
 * What a command's exit code tells a script. Part of the interface: values never change meaning.
 */
public final class ExitCode {
  /** Done. */
  public static final int OK = 0;

  /** Not done; standard error says why in one line. */
  public static final int FAILED = 1;

  /** The command line itself is wrong; nothing was tried. */
  public static final int USAGE = 2;

  /** It can never be done as things are; a person has to change something first. */
  public static final int NEVER = 3;

  private ExitCode() {}
}

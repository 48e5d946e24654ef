package dev.drydock.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a command prints: results to {@code out}, everything about the way there to {@code err}.
 * Knows whether a person is watching, so that displays are live on a terminal and plain lines
 * elsewhere.
 */
public record Terminal(
    PrintWriter out, PrintWriter err, boolean liveOut, boolean liveErr, int columns, int rows) {
  private static final int DEFAULT_COLUMNS = 80;
  private static final int DEFAULT_ROWS = 24;

  /**
   * The launcher looks at the file descriptors, which Java cannot: {@code DRYDOCK_TTY=out,err}
   * names the terminals.
   */
  static final String TTY_VARIABLE = "DRYDOCK_TTY";

  public static Terminal of(CommandSpec spec) {
    return of(spec.commandLine().getOut(), spec.commandLine().getErr(), System.getenv());
  }

  static Terminal of(PrintWriter out, PrintWriter err, Map<String, String> environment) {
    String tty = environment.getOrDefault(TTY_VARIABLE, "");
    boolean dumb = "dumb".equals(environment.get("TERM"));
    return new Terminal(
        out,
        err,
        tty.contains("out") && !dumb && !(out instanceof PlainWriter),
        tty.contains("err") && !dumb && !(err instanceof PlainWriter),
        size(environment, "COLUMNS", DEFAULT_COLUMNS),
        size(environment, "LINES", DEFAULT_ROWS));
  }

  /** Whether what is printed gets nowhere any more, as when the reader of a pipe is gone. */
  public boolean outLost() {
    // picocli's writers do not pass on what happened to the stream below them
    return out.checkError() || System.out.checkError();
  }

  /** For a command whose output goes through somebody else: plain lines, as in a pipe. */
  public static PrintWriter plain(Writer writer) {
    return new PlainWriter(writer);
  }

  private static final class PlainWriter extends PrintWriter {
    PlainWriter(Writer writer) {
      super(writer);
    }
  }

  private static int size(Map<String, String> environment, String variable, int classic) {
    try {
      int size = Integer.parseInt(environment.getOrDefault(variable, ""));
      return size > 0 ? size : classic;
    } catch (NumberFormatException _) {
      return classic; // not known, e.g. a pipe
    }
  }
}

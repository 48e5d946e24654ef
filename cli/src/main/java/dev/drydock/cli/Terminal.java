package dev.drydock.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a command prints: results to {@code out}, progress and errors to {@code err}. Knows whether
 * each is a terminal, so that displays are updated in place there and are plain lines elsewhere.
 */
public record Terminal(
    PrintWriter out, PrintWriter err, boolean liveOut, boolean liveErr, int columns, int rows) {
  private static final int DEFAULT_COLUMNS = 80;
  private static final int DEFAULT_ROWS = 24;

  /**
   * Java cannot inspect file descriptors, so the launcher does: {@code DRYDOCK_TTY=out,err} lists
   * those that are terminals.
   */
  static final String TTY_VARIABLE = "DRYDOCK_TTY";

  /** Whatever a command prints comes from the cluster in part, and must not control a terminal. */
  public Terminal {
    out = SafeWriter.of(out);
    err = SafeWriter.of(err);
  }

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

  /** Whether output is lost, for example because the reader of a pipe has exited. */
  public boolean outLost() {
    // picocli's writers do not report errors of the underlying stream
    return out.checkError() || System.out.checkError();
  }

  /** Prints a control sequence to {@code out}, where everything else is {@link SafeText}. */
  public void controlOut(String sequence) {
    SafeWriter.of(out).control(sequence);
  }

  /** Prints a control sequence to {@code err}. */
  public void controlErr(String sequence) {
    SafeWriter.of(err).control(sequence);
  }

  /** For a command whose output another program forwards: plain lines, as in a pipe. */
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
      return classic; // unknown, e.g. for a pipe
    }
  }
}

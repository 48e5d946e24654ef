package dev.drydock.cli;

import java.util.ArrayList;
import java.util.List;

/** Wraps text to the width of a terminal. */
public final class TextLines {
  private TextLines() {}

  /** Unchanged for a pipe, because scripts read it; wrapped at spaces on a terminal. */
  public static void print(Terminal terminal, String text) {
    if (terminal.liveOut()) {
      wrap(text, "", terminal.columns()).forEach(terminal.out()::println);
    } else {
      terminal.out().println(text);
    }
  }

  /** The same for standard error. */
  public static void printError(Terminal terminal, String text) {
    if (terminal.liveErr()) {
      hanging(text, "  ", terminal.columns()).forEach(terminal.err()::println);
    } else {
      terminal.err().println(text);
    }
  }

  public static String cut(String line, int width) {
    return line.length() <= width ? line : line.substring(0, Math.max(0, width - 1)) + "…";
  }

  /** Wraps at spaces and indents every line; a word longer than a line is cut. */
  public static List<String> wrap(String text, String indent, int width) {
    return hanging(indent + text, indent, width).stream().map(line -> cut(line, width)).toList();
  }

  /**
   * Wraps at spaces; a word longer than a line stays whole.
   *
   * @param indent before every line but the first
   */
  public static List<String> hanging(String text, String indent, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > width) {
      int begin = rest.length() - rest.stripLeading().length();
      int at = rest.lastIndexOf(' ', width);
      if (at <= begin) {
        at = rest.indexOf(' ', Math.max(begin, width));
      }
      if (at < 0) {
        break;
      }
      lines.add(rest.substring(0, at).stripTrailing());
      rest = indent + rest.substring(at).stripLeading();
    }
    lines.add(rest);
    return lines;
  }
}

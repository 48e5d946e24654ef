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

  public static String cut(String line, int width) {
    return line.length() <= width ? line : line.substring(0, Math.max(0, width - 1)) + "…";
  }

  /** Wraps at spaces and indents every line; a word longer than a line is cut. */
  public static List<String> wrap(String text, String indent, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && indent.length() + line.length() + 1 + word.length() > width) {
        lines.add(cut(indent + line, width));
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(cut(indent + line, width));
    return lines;
  }
}

package dev.drydock.cli;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;

/**
 * Text that is printed repeatedly. On a terminal it replaces the previous text and is cut to fit;
 * elsewhere it is appended after an empty line.
 */
public final class LiveText {
  private static final int LINES_KEPT_FREE = 2;

  private final Terminal terminal;
  private int linesShown;

  public LiveText(Terminal terminal) {
    this.terminal = terminal;
  }

  public void show(List<String> lines) {
    if (terminal.liveOut()) {
      redraw(lines);
    } else {
      if (linesShown > 0) {
        terminal.out().println();
      }
      print(lines);
    }
  }

  /** At once, so that a terminal never shows a part. */
  private void print(List<String> lines) {
    terminal
        .out()
        .print(lines.stream().map(line -> line + System.lineSeparator()).collect(joining()));
    terminal.out().flush();
    linesShown = lines.size();
  }

  /** The user pressed Enter below the text, which the terminal showed as another line. */
  public void lineTyped() {
    if (linesShown > 0) {
      linesShown++;
    }
  }

  /** Removes the text from a terminal; what is printed next takes its place. */
  public void clear() {
    if (linesShown > 0 && terminal.liveOut()) {
      terminal.controlOut("\u001b[" + linesShown + "A\r\u001b[J");
      linesShown = 0;
    }
  }

  private void redraw(List<String> lines) {
    int most = Math.max(1, terminal.rows() - LINES_KEPT_FREE);
    List<String> shown = new ArrayList<>();
    lines.stream()
        .limit(most)
        .map(line -> TextLines.cut(line, terminal.columns() - 1))
        .forEach(shown::add);
    if (shown.size() < lines.size()) {
      shown.add("… and " + (lines.size() - shown.size()) + " more lines");
    }
    clear();
    print(shown);
  }
}

package dev.drydock.cli;

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
      lines.forEach(terminal.out()::println);
      linesShown = lines.size();
    }
    terminal.out().flush();
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
    List<String> shown =
        lines.stream()
            .limit(most)
            .map(line -> TextLines.cut(line, terminal.columns() - 1))
            .toList();
    clear();
    shown.forEach(terminal.out()::println);
    linesShown = shown.size();
    if (shown.size() < lines.size()) {
      terminal.out().println("… and " + (lines.size() - shown.size()) + " more lines");
      linesShown++;
    }
  }
}

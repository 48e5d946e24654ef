package dev.drydock.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table as kubectl prints them: upper-case headings, columns three spaces apart, cut to the
 * terminal's width.
 */
public final class Table {
  private static final String GAP = "   ";
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  public Table row(Object... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + rows.getFirst());
    }
    rows.add(
        Arrays.stream(cells)
            .map(cell -> cell.toString().isEmpty() ? "-" : cell.toString())
            .toList());
    return this;
  }

  /** Lines are cut only where a person reads them: a script gets every character. */
  public void print(Terminal terminal) {
    int[] widths = widths();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column));
        if (column < row.size() - 1) {
          line.append(" ".repeat(widths[column] - row.get(column).length())).append(GAP);
        }
      }
      terminal.out().println(terminal.liveOut() ? cut(line, terminal.columns()) : line);
    }
    terminal.out().flush();
  }

  private int[] widths() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }

  static CharSequence cut(CharSequence line, int columns) {
    return line.length() <= columns ? line : line.subSequence(0, Math.max(0, columns - 1)) + "…";
  }
}

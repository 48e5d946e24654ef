package dev.drydock.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * A table in kubectl's format: upper-case headings, columns three spaces apart. If a row is longer
 * than the terminal's width, the last column is wrapped, or cut if there is no room.
 */
public final class Table {
  private static final String GAP = "   ";
  private static final String INDENT = "    ";
  private static final String NOTHING = "-";

  /** The narrowest width at which the last column is wrapped beside the others. */
  private static final int NARROWEST = 24;

  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  public Table row(Object... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + rows.getFirst());
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      String text = cell.toString();
      boolean last = row.size() == cells.length - 1;
      String safe = last ? SafeText.lines(text) : SafeText.line(text);
      row.add(safe.isEmpty() ? NOTHING : safe);
    }
    rows.add(row);
    return this;
  }

  /** Lines are wrapped or cut only on a terminal; scripts get every character. */
  public void print(Terminal terminal) {
    int[] widths = widths();
    for (List<String> row : rows) {
      StringBuilder start = new StringBuilder();
      for (int column = 0; column < row.size() - 1; column++) {
        start.append(row.get(column));
        start.append(" ".repeat(widths[column] - row.get(column).length())).append(GAP);
      }
      String last = SafeText.line(row.getLast());
      if (terminal.liveOut()) {
        fit(start, last, terminal.columns()).forEach(terminal.out()::println);
      } else {
        terminal.out().println(start.append(last));
      }
    }
  }

  /**
   * The lines for a terminal of this width, or for a pipe if it is 0. If the last column has no
   * room beside the others, it is printed below its row. A last cell may have several lines.
   */
  public List<String> lines(int width) {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder start = new StringBuilder();
      for (int column = 0; column < row.size() - 1; column++) {
        start.append(row.get(column));
        start.append(" ".repeat(widths[column] - row.get(column).length())).append(GAP);
      }
      List<String> last = row.getLast().lines().toList();
      if (width == 0) {
        lines.add((start + String.join("; ", last)).stripTrailing());
      } else if (start.length() + NARROWEST <= width) {
        lines.addAll(beside(start, last, width));
      } else {
        lines.add(TextLines.cut(start.toString().stripTrailing(), width));
        if (!row.equals(rows.getFirst()) && !row.getLast().equals(NOTHING)) {
          last.forEach(line -> lines.addAll(TextLines.wrap(line, INDENT, width)));
        }
      }
    }
    return lines;
  }

  private static List<String> beside(StringBuilder start, List<String> last, int width) {
    String indent = " ".repeat(start.length());
    List<String> lines = new ArrayList<>();
    last.forEach(line -> lines.addAll(TextLines.wrap(line, indent, width)));
    lines.set(0, start + lines.getFirst().substring(indent.length()));
    return lines;
  }

  private static List<String> fit(StringBuilder start, String last, int columns) {
    int indent = start.length();
    if (columns - indent < NARROWEST) {
      return List.of(TextLines.cut(start + last, columns));
    }
    List<String> lines = new ArrayList<>(TextLines.wrap(last, " ".repeat(indent), columns));
    lines.set(0, start + lines.getFirst().substring(indent));
    return lines;
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
}

package dev.drydock.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table in kubectl's format: upper-case headings, columns three spaces apart. On a terminal that
 * is too narrow the last column, which says most, is wrapped. If it has no room beside the others,
 * it is printed below its row, and cells of the others are shortened until they fit.
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

  /** Lines are laid out for a terminal only on one; scripts get every character. */
  public void print(Terminal terminal) {
    List<List<String>> flat = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(row);
      cells.set(cells.size() - 1, SafeText.line(cells.getLast()));
      flat.add(cells);
    }
    int width = terminal.liveOut() ? terminal.columns() : 0;
    lines(flat, widths(flat, width), width).forEach(terminal.out()::println);
  }

  /**
   * The lines for a terminal of this width, or for a pipe if it is 0. A last cell may have several
   * lines. Cells are not shortened, for callers that know what to leave out.
   */
  public List<String> lines(int width) {
    return lines(rows, widths(rows, 0), width);
  }

  private static List<String> lines(List<List<String>> rows, int[] widths, int width) {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder start = new StringBuilder();
      for (int column = 0; column < row.size() - 1; column++) {
        String cell = TextLines.cut(row.get(column), widths[column]);
        start.append(cell).append(" ".repeat(widths[column] - cell.length())).append(GAP);
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

  /** As wide as the widest cells; the widest column gives way where they do not fit. */
  private static int[] widths(List<List<String>> rows, int width) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    int others = widths.length - 1;
    int excess =
        width == 0
            ? 0
            : Arrays.stream(widths, 0, others).sum() + (others - 1) * GAP.length() - width;
    for (int column; excess > 0 && (column = widest(widths, rows.getFirst())) >= 0; excess--) {
      widths[column]--;
    }
    return widths;
  }

  /** The widest column but the last that can be narrower and keep its heading; -1 if none can. */
  private static int widest(int[] widths, List<String> headings) {
    int widest = -1;
    for (int column = 0; column < widths.length - 1; column++) {
      if (widths[column] > headings.get(column).length()
          && (widest < 0 || widths[column] > widths[widest])) {
        widest = column;
      }
    }
    return widest;
  }
}

package dev.drydock.demo;

import dev.drydock.cli.LiveText;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The output of the demo: permanent lines, and on a terminal a table below them that is updated in
 * place. Thread-safe.
 */
final class Screen {
  private static final int PROMPT_LINES = 3;
  private static final int NARROWEST = 20;
  private static final char NO_BREAK = '\u00a0';

  private final Terminal terminal;
  private final boolean live;
  private final LiveText below;
  private List<String> table = List.of();
  private List<String> prompt = List.of();
  private boolean muted;

  Screen(Terminal terminal, boolean live) {
    this.terminal = terminal;
    this.live = live;
    below = new LiveText(terminal);
  }

  boolean live() {
    return live;
  }

  int columns() {
    return terminal.columns();
  }

  /** The rows for the table: half of the screen, minus blank lines, prompt and cursor. */
  int rowsForTable() {
    return Math.max(0, (terminal.rows() - 4) / 2);
  }

  /** Whether the output is no longer read. */
  boolean isLost() {
    return terminal.outLost();
  }

  /** Moves below the terminal's echo of Ctrl-C; prints nothing more. */
  synchronized void leave() {
    if (live && !muted) {
      terminal.out().println();
      terminal.out().flush();
    }
    mute();
  }

  /** Prints nothing more; the table stays as it is. */
  synchronized void mute() {
    muted = true;
  }

  /** One line, which a terminal wraps if it is too long. */
  void line(String text) {
    lines(live ? wrapped(text, width(), "  ") : List.of(text));
  }

  /** One line of any length, so that it can be copied. */
  void exact(String text) {
    lines(List.of(text));
  }

  /** Running text, whose line breaks are ignored. */
  void prose(String text) {
    lines(wrapped(text.strip().replaceAll("\\s+", " "), width(), ""));
  }

  /** A command line, wrapped so that it can be copied to a terminal. */
  void command(List<String> words) {
    String unbroken =
        words.stream().map(word -> word.replace(' ', NO_BREAK)).collect(Collectors.joining(" "));
    List<String> lines = wrapped("$ " + unbroken, live ? width() - 2 : Integer.MAX_VALUE, "    ");
    lines(String.join(" \\\n", lines).replace(NO_BREAK, ' ').lines().toList());
  }

  private synchronized void lines(List<String> lines) {
    if (muted) {
      return;
    }
    below.clear();
    lines.forEach(terminal.out()::println);
    draw();
  }

  synchronized void heading(String text) {
    if (muted) {
      return;
    }
    below.clear();
    terminal.out().println();
    control("\u001b[1m");
    terminal.out().print(text);
    control("\u001b[0m");
    terminal.out().println();
    draw();
  }

  private void control(String sequence) {
    if (live) {
      terminal.controlOut(sequence);
    }
  }

  /** Replaces the table; does nothing without a terminal. */
  synchronized void table(List<String> rows) {
    if (live && !muted) {
      below.clear();
      table = rows.stream().map(row -> cut(row)).toList();
      draw();
    }
  }

  /** The prompt below the table; empty for none. */
  synchronized void prompt(String text) {
    if (muted) {
      return;
    }
    below.clear();
    prompt =
        text.isEmpty()
            ? List.of()
            : wrapped(text, width(), "  ").stream().limit(PROMPT_LINES).map(this::cut).toList();
    draw();
  }

  /** The terminal echoed the viewer's Enter by moving to the next line. */
  synchronized void lineTyped() {
    below.lineTyped();
  }

  /** A writer for a command's output: its lines go to the screen and to a listener. */
  PrintWriter writer(Consumer<String> reader) {
    return Terminal.plain(new Lines(reader));
  }

  /** The last column stays free: some terminals wrap when it is written. */
  private int width() {
    return terminal.columns() - 1;
  }

  private static List<String> wrapped(String text, int width, String indent) {
    return TextLines.hanging(text, indent, Math.max(width, NARROWEST));
  }

  private String cut(String row) {
    return TextLines.cut(row, width());
  }

  private void draw() {
    if (live) {
      List<String> lines = new ArrayList<>();
      if (!table.isEmpty()) {
        lines.add("");
        lines.addAll(table);
      }
      if (!prompt.isEmpty()) {
        lines.add("");
        lines.addAll(prompt);
      }
      below.show(lines);
    }
    terminal.out().flush();
  }

  private final class Lines extends Writer {
    private final Consumer<String> reader;
    private final StringBuilder begun = new StringBuilder();

    Lines(Consumer<String> reader) {
      this.reader = reader;
    }

    @Override
    public void write(char[] characters, int offset, int length) {
      synchronized (lock) {
        for (int at = offset; at < offset + length; at++) {
          if (characters[at] == '\n') {
            String line = begun.toString();
            begun.setLength(0);
            line(line);
            reader.accept(line);
          } else if (characters[at] != '\r') {
            begun.append(characters[at]);
          }
        }
      }
    }

    @Override
    public void flush() {} // a line is shown when it is complete

    @Override
    public void close() {}
  }
}

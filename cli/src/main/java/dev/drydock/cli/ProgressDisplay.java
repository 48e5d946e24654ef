package dev.drydock.cli;

import dev.drydock.contracts.GoDuration;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Shows progress on standard error, step by step: on a terminal one line that is updated, with the
 * elapsed time; elsewhere one plain line per step. Thread-safe. Closing it marks the last step as
 * done, unless {@link #fail()} was called.
 */
public final class ProgressDisplay implements AutoCloseable {
  private static final String CLEAR_LINE = "\r\u001b[2K";
  private static final String[] SPINNER = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};

  private static final Duration FRAME = Duration.ofMillis(100);

  private final Terminal terminal;
  private final Clock clock;
  private final @Nullable Ticker ticker;
  private String step = "";
  private String detail = "";
  private Instant since;
  private int frame;

  public ProgressDisplay(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
    this.since = clock.instant();
    ticker = terminal.liveErr() ? new Ticker("progress", FRAME, this::draw) : null;
  }

  /** Ends the previous step and begins this one. */
  public synchronized void step(String text) {
    finish("✓");
    step = text;
    detail = "";
    since = clock.instant();
    if (!terminal.liveErr()) {
      println(text);
    }
  }

  /** Updates the progress of the current step. */
  public synchronized void detail(String text) {
    if (!terminal.liveErr() && !text.equals(detail)) {
      println("  " + text);
    }
    detail = text;
  }

  /** Marks the current step as failed; the caller reports the error itself. */
  public synchronized void fail() {
    finish("✗");
  }

  @Override
  public void close() {
    if (ticker != null) {
      ticker.close();
    }
    synchronized (this) {
      finish("✓");
    }
  }

  private synchronized void draw() {
    if (step.isEmpty()) {
      return;
    }
    frame = (frame + 1) % SPINNER.length;
    String line = "%s %s %s %s".formatted(SPINNER[frame], step, elapsed(), detail).stripTrailing();
    terminal.controlErr(CLEAR_LINE);
    terminal.err().print(TextLines.cut(line, terminal.columns() - 1));
    terminal.err().flush();
  }

  private void finish(String mark) {
    if (!step.isEmpty() && terminal.liveErr()) {
      terminal.controlErr(CLEAR_LINE);
      println(mark + " " + step + " " + elapsed());
    }
    step = "";
  }

  private void println(String line) {
    terminal.err().println(line);
  }

  private String elapsed() {
    return GoDuration.brief(Duration.between(since, clock.instant()));
  }
}

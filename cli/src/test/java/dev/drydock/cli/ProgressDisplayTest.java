package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ProgressDisplayTest {
  private static final String NEW_LINE = System.lineSeparator();

  private final StringWriter err = new StringWriter();
  private final TestingClock clock = new TestingClock();

  @Test
  void offTerminalsEveryStepAndEveryChangeIsAPlainLine() {
    try (ProgressDisplay progress = progress(false)) {
      progress.step("start etcd");
      progress.detail("port 1");
      progress.detail("port 1");
      progress.detail("port 2");
      progress.step("start nodes");
    }

    assertThat(err.toString().split(NEW_LINE))
        .containsExactly("start etcd", "  port 1", "  port 2", "start nodes");
  }

  @Test
  void onATerminalAFinishedStepStaysWithTheTimeItTook() {
    try (ProgressDisplay progress = progress(true)) {
      progress.step("start etcd");
      clock.pass(Duration.ofMillis(1_250));
      progress.step("start nodes");
      clock.pass(Duration.ofSeconds(61));
    }

    assertThat(finalLines()).containsExactly("✓ start etcd 1.2s", "✓ start nodes 1m01s");
  }

  @Test
  void aFailedStepIsMarkedOnce() {
    try (ProgressDisplay progress = progress(true)) {
      progress.step("start etcd");
      progress.fail();
    }

    assertThat(finalLines()).containsExactly("✗ start etcd 0ms");
  }

  @Test
  void withoutAStepNothingIsShown() {
    progress(true).close();
    progress(false).close();

    assertThat(err.toString()).isEmpty();
  }

  /** The visible text after lines were erased. */
  private String[] finalLines() {
    return Arrays.stream(err.toString().split(NEW_LINE))
        .map(line -> line.substring(line.lastIndexOf("\u001b[2K") + "\u001b[2K".length()))
        .toArray(String[]::new);
  }

  private ProgressDisplay progress(boolean live) {
    PrintWriter writer = new PrintWriter(err);
    return new ProgressDisplay(new Terminal(writer, writer, live, live, 80, 24), clock);
  }

  private static final class TestingClock extends Clock {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return Clock.fixed(now, zone);
    }
  }
}

package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SafeTextTest {
  /** Clears the screen, returns to the start of the line, reorders letters, forges a line. */
  private static final String HOSTILE = "a\u001b[2J\rb\u202ec\u009bd\nnode/good uncordoned\u2028e";

  private final StringWriter printed = new StringWriter();
  private final PrintWriter writer = new PrintWriter(printed, true);
  private final Terminal terminal = new Terminal(writer, writer, true, true, 200, 24);

  @Test
  void controlCharactersAreShownAsTheirCodes() {
    assertThat(SafeText.line(HOSTILE))
        .isEqualTo("a\\u001b[2J\\u000db\\u202ec\\u009bd\\u000anode/good uncordoned\\u2028e");
    assertThat(SafeText.lines("one\n\ttwo\u001b")).isEqualTo("one\n\ttwo\\u001b");
    assertThat(SafeText.line("Größe 5 µs ✓ 日本 😀")).isEqualTo("Größe 5 µs ✓ 日本 😀");
  }

  @Test
  void whatACommandPrintsControlsNoTerminal() {
    terminal.out().println("node/" + HOSTILE);
    terminal.err().printf("waits for %s%n", HOSTILE);
    terminal.out().flush();

    assertThat(printed.toString()).doesNotContain("\u001b", "\r", "\u202e", "\u009b", "\u2028");
  }

  @Test
  void aTableHasOneLinePerRow() {
    Table table = new Table("NODE", "WHY").row(HOSTILE, HOSTILE);

    table.print(terminal);

    assertThat(printed.toString().lines()).hasSize(2);
    assertThat(printed.toString()).doesNotContain("\u001b", "\r", "\u202e");
    assertThat(table.lines(0))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).doesNotContain("\u001b"));
  }

  @Test
  void aDisplayStillControlsItsTerminal() {
    LiveText text = new LiveText(terminal);

    text.show(java.util.List.of(HOSTILE.replace("\n", "")));
    text.show(java.util.List.of("two"));

    assertThat(printed.toString()).contains("\u001b[1A").doesNotContain("\u001b[2J");
  }

  @Test
  void aMessageIsOneLineOfTheLog() {
    LoggerContext context = new LoggerContext();
    Encoder<ILoggingEvent> encoder = CommandLogging.lines(context);
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("a"),
            ch.qos.logback.classic.Level.WARN,
            "object {} cannot be read",
            new IllegalStateException("because of " + HOSTILE),
            new Object[] {HOSTILE});

    String logged = new String(encoder.encode(event), StandardCharsets.UTF_8);

    assertThat(logged.lines().findFirst().orElseThrow()).endsWith("cannot be read");
    assertThat(logged).contains("because of a").doesNotContain("\u001b", "\r", "\u202e");
  }

  @Test
  void aLineIsWrittenWithoutAFlush() {
    StringWriter written = new StringWriter();
    PrintWriter buffered = new PrintWriter(new BufferedWriter(written));
    Terminal terminal = new Terminal(buffered, buffered, false, false, 80, 24);

    terminal.out().println("copied");
    terminal.err().printf("%d events%n", 3);

    assertThat(written.toString().lines()).containsExactly("copied", "3 events");
  }
}

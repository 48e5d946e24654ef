package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextLinesTest {
  @Test
  void longLinesAreBrokenBetweenWords() {
    assertThat(TextLines.wrap("budget a/b allows no eviction", "  ", 14))
        .containsExactly("  budget a/b", "  allows no", "  eviction");
    assertThat(TextLines.wrap("averylongname x", "", 8)).containsExactly("averylo…", "x");
  }

  @Test
  void aTerminalGetsBrokenLinesAndAScriptWholeOnes() {
    assertThat(printed(true).lines()).containsExactly("next: edit", "the budget");
    assertThat(printed(false).lines()).containsExactly("next: edit the budget");
  }

  @Test
  void soDoesStandardError() {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    TextLines.printError(new Terminal(writer, writer, false, true, 12, 24), "Note: see the docs");
    TextLines.printError(new Terminal(writer, writer, true, false, 12, 24), "Note: see the docs");

    assertThat(text.toString().lines())
        .containsExactly("Note: see", "  the docs", "Note: see the docs");
  }

  private static String printed(boolean live) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    TextLines.print(new Terminal(writer, writer, live, live, 12, 24), "next: edit the budget");
    return text.toString();
  }

  @Test
  void linesAreBrokenBetweenWords() {
    assertThat(TextLines.hanging("twenty columns are enough for all of this", "  ", 20))
        .containsExactly("twenty columns are", "  enough for all of", "  this");
  }

  @Test
  void aWordThatIsTooLongStaysWhole() {
    assertThat(TextLines.hanging("a /path/that/is/longer/than/a/line and more", "", 20))
        .containsExactly("a", "/path/that/is/longer/than/a/line", "and more");
    assertThat(TextLines.hanging("  /path/that/is/longer/than/a/line", "    ", 20))
        .containsExactly("  /path/that/is/longer/than/a/line");
  }

  @Test
  void columnsOfATableStayApart() {
    assertThat(TextLines.hanging("NODE   HELD BY   SINCE", "", 22))
        .containsExactly("NODE   HELD BY   SINCE");
  }
}

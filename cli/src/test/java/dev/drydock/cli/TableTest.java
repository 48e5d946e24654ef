package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table =
      new Table("NODE", "STATE", "WHY")
          .row("n1", "cordoned", "firmware update of the network card")
          .row("node-with-a-long-name", "ready", "");

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    assertThat(printed(false, 80))
        .containsExactly(
            "NODE                    STATE      WHY",
            "n1                      cordoned   firmware update of the network card",
            "node-with-a-long-name   ready      -");
  }

  @Test
  void theLastColumnGoesOnBelowWhereATerminalIsTooNarrow() {
    assertThat(printed(true, 60))
        .containsExactly(
            "NODE                    STATE      WHY",
            "n1                      cordoned   firmware update of the",
            "                                   network card",
            "node-with-a-long-name   ready      -");
  }

  @Test
  void linesAreCutWhereTheLastColumnHasNoRoom() {
    assertThat(printed(true, 40))
        .containsExactly(
            "NODE                    STATE      WHY",
            "n1                      cordoned   firm…",
            "node-with-a-long-name   ready      -");
  }

  @Test
  void aScriptGetsEveryCharacter() {
    assertThat(printed(false, 40)).anyMatch(line -> line.endsWith("network card"));
  }

  @Test
  void aRowMustHaveACellForEveryHeading() {
    assertThatIllegalArgumentException().isThrownBy(() -> table.row("n2", "ready"));
  }

  private String[] printed(boolean live, int columns) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    table.print(new Terminal(writer, writer, live, live, columns, 24));
    return out.toString().split(System.lineSeparator());
  }

  @Test
  void theLastColumnStandsBelowWhereThereIsNoRoom() {
    Table table =
        new Table("NODE", "WAITS FOR")
            .row("node-1", "a budget that leaves no room\nsomebody")
            .row("node-2", "");

    assertThat(table.lines(0))
        .containsExactly(
            "NODE     WAITS FOR", "node-1   a budget that leaves no room; somebody", "node-2   -");
    assertThat(table.lines(34))
        .containsExactly(
            "NODE     WAITS FOR",
            "node-1   a budget that leaves no",
            "         room",
            "         somebody",
            "node-2   -");
    assertThat(table.lines(20))
        .containsExactly(
            "NODE", "node-1", "    a budget that", "    leaves no room", "    somebody", "node-2");
  }
}

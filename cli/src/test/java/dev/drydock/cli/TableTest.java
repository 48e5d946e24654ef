package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void theLastColumnIsPrintedBelowItsRowWhereItHasNoRoom() {
    assertThat(printed(true, 40))
        .containsExactly(
            "NODE                    STATE",
            "n1                      cordoned",
            "    firmware update of the network card",
            "node-with-a-long-name   ready");
  }

  @Test
  void theWidestCellsAreShortenedWhereTheOtherColumnsDoNotFit() {
    assertThat(printed(true, 25))
        .containsExactly(
            "NODE             STATE",
            "n1               cordoned",
            "    firmware update of",
            "    the network card",
            "node-with-a-l…   ready");
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 20, 40, 60, 80, 100, 120, 200})
  void everyWordOfTheLastColumnIsOnATerminalOfAnyWidth(int columns) {
    String[] lines = printed(true, columns);

    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
    assertThat(String.join(" ", lines))
        .contains("firmware", "update", "of", "the", "network", "card");
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

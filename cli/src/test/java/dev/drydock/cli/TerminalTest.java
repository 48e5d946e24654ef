package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # DRYDOCK_TTY, TERM, live out, live err
          -,         xterm, false, false
          '',        xterm, false, false
          out,       xterm, true,  false
          ',err',    xterm, false, true
          'out,err', -,     true,  true
          'out,err', dumb,  false, false
          """)
  void displaysAreLiveOnlyOnTerminalsThatCanShowThem(
      String tty, String term, boolean out, boolean err) {
    Terminal terminal = terminal("DRYDOCK_TTY", tty, "TERM", term);

    assertThat(terminal.liveOut()).isEqualTo(out);
    assertThat(terminal.liveErr()).isEqualTo(err);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, 80", "'', 80", "wide, 80", "0, 80", "-5, 80", "132, 132"})
  void theWidthIsTheTerminalsOrEighty(String columns, int expected) {
    assertThat(terminal("COLUMNS", columns).columns()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, 24", "tall, 24", "0, 24", "50, 50"})
  void theHeightIsTheTerminalsOrTwentyFour(String lines, int expected) {
    assertThat(terminal("LINES", lines).rows()).isEqualTo(expected);
  }

  @Test
  void aPlainWriterIsNoTerminalWhateverTheProgramRunsOn() {
    PrintWriter plain = Terminal.plain(Writer.nullWriter());

    Terminal terminal = Terminal.of(plain, plain, Map.of("DRYDOCK_TTY", "out,err"));

    assertThat(terminal.liveOut()).isFalse();
    assertThat(terminal.liveErr()).isFalse();
  }

  private static Terminal terminal(String... variables) {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      if (variables[i + 1] != null) {
        environment.put(variables[i], variables[i + 1]);
      }
    }
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Terminal.of(nowhere, nowhere, environment);
  }
}

package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellWordTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "team/a          | team/a",
        "pool=gpu,zone=b | pool=gpu,zone=b",
        "the night shift | 'the night shift'",
        "$(reboot)       | '$(reboot)'",
        "Ann's           | 'Ann'\\''s'",
        "``              | ''"
      })
  void isQuotedWhereAShellWouldNotTakeItAsItIs(String text, String word) {
    assertThat(ShellWord.of(text)).isEqualTo(word);
  }
}

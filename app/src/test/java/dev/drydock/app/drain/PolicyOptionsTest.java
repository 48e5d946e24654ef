package dev.drydock.app.drain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.DrydockTest;
import dev.drydock.app.DrydockTest.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags that contradict each other are refused before any cluster is asked. */
class PolicyOptionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          plan n1 --timeout 5s --deadline 6s | error: give --timeout or --deadline, not both
          plan n1 --at-deadline delete       | error: --at-deadline needs --deadline
          plan n1 --deadline 0s              | error: the deadline must be longer than nothing; leave it out for no deadline
          drain n1 --parallel -1             | error: --parallel -1: use 1 or more, or 0 for all
          """)
  void contradictionsAreTold(String words, String line) {
    Outcome outcome = DrydockTest.run(words.split(" "));

    assertThat(outcome.err()).startsWith(line);
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          plan n1 --timeout soon       | is not a time; write it like 90s or 1h30m
          plan n1 --pod-selector a==b= | selector
          drain n1 --grace-period x    | 'x' is not a long
          """)
  void valuesThatCannotBeReadAreTold(String words, String part) {
    Outcome outcome = DrydockTest.run(words.split(" "));

    assertThat(outcome.err()).startsWith("error: ").contains(part);
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }
}

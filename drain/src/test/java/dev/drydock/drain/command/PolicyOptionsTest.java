package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandOutcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contradicting flags are refused before any cluster is contacted. */
class PolicyOptionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          plan n1 --timeout 5s --deadline 6s | error: give --timeout or --deadline, not both
          plan n1 --at-deadline delete       | error: --at-deadline needs --deadline
          plan n1 --deadline 0s              | error: --deadline 0s: use a longer time, or leave the flag out
          drain n1 --chunk-size -1           | error: --chunk-size -1: use 1 or more, or 0 for no limit
          drain n1 --parallel -1             | error: --parallel -1: use 1 or more, or 0 for all
          """)
  void contradictionsAreTold(String words, String line) {
    CommandOutcome outcome = CommandOutcome.run(words.split(" "));

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
          plan n1 --timeout soon       | invalid value "soon" for --timeout: use a time like 90s or 1h30m
          plan n1 --pod-selector a==b= | selector
          plan n1 --requesting cpu     | is not an extended resource; write it like hpe.com/cxi
          drain n1 --grace-period x    | invalid value "x" for --grace-period: use a whole number
          drain n1 --force=maybe       | invalid value "maybe" for --force: use true or false
          drain n1 --dry-run=maybe     | invalid value "maybe" for --dry-run: use one of none, client, server
          drain n1 -o yaml             | invalid value "yaml" for --output: use one of json
          """)
  void valuesThatCannotBeReadAreTold(String words, String part) {
    CommandOutcome outcome = CommandOutcome.run(words.split(" "));

    assertThat(outcome.err()).startsWith("error: ").contains(part);
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }
}

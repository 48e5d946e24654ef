package dev.drydock.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

class OutputOptionTest {
  record Ship(
      String name, Instant docked, Duration stay, List<String> crew, @Nullable String flag) {}

  private static final Ship SHIP =
      new Ship(
          "Argo: first",
          Instant.parse("2026-01-02T03:04:05Z"),
          Duration.ofMinutes(90),
          List.of("Jason"),
          null);

  @Test
  void jsonHasEveryValueThatIsThereAndReadableTimes() {
    assertThat(shown("-o", "json"))
        .isEqualTo(
            """
            {
              "name" : "Argo: first",
              "docked" : "2026-01-02T03:04:05Z",
              "stay" : "PT1H30M",
              "crew" : [ "Jason" ]
            }
            """);
  }

  @Test
  void yamlHasTheSameValues() {
    assertThat(shown("--output=yaml"))
        .isEqualTo(
            """
            name: "Argo: first"
            docked: 2026-01-02T03:04:05Z
            stay: PT1H30M
            crew:
            - Jason
            """);
  }

  @Test
  void peopleGetTextAndMoreOfItWhenWide() {
    assertThat(shown()).isEqualTo("text, wide: false\n");
    assertThat(shown("-owide")).isEqualTo("text, wide: true\n");
  }

  @Test
  void anUnknownFormatIsWrongUsage() {
    assertThat(new TestingShell(new Show()).run("show", "-o", "xml").exitCode()).isEqualTo(2);
  }

  private static String shown(String... flags) {
    String[] arguments = new String[flags.length + 1];
    arguments[0] = "show";
    System.arraycopy(flags, 0, arguments, 1, flags.length);
    TestingShell.Outcome outcome = new TestingShell(new Show()).run(arguments);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out().replace(System.lineSeparator(), "\n");
  }

  @Command(name = "show")
  static final class Show implements DrydockCommand {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      Terminal terminal = Terminal.of(requireNonNull(spec));
      output.print(terminal, SHIP, wide -> terminal.out().println("text, wide: " + wide));
      return ExitCode.OK;
    }
  }
}

package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.cli.TestingShell.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandRunnerTest {
  private final TestingShell shell =
      new TestingShell(
          new SampleCommands.Paint(),
          new SampleCommands.Launch(),
          new SampleCommands.Crew(),
          new SampleCommands.Bilge());

  @Test
  void aCommandThatSucceedsSaysNothingOnStandardError() {
    Outcome outcome = shell.run("paint", "--colour", "red");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(0, "painted red null false null false null" + System.lineSeparator(), ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          paitn               | unknown command "paitn" for "drydock" (did you mean "paint"?); see 'drydock --help'
          flo                 | unknown command "flo" for "drydock" (did you mean "float"?); see 'drydock --help'
          somethingelse       | unknown command "somethingelse" for "drydock"; see 'drydock --help'
          somethingelse paint | unknown command "somethingelse" for "drydock"; see 'drydock --help'
          crew hier           | unknown command "hier" for "drydock crew" (did you mean "hire"?); see 'drydock crew --help'
          --nonsense          | unknown flag: --nonsense; see 'drydock --help'
          paint --nonsense    | unknown flag: --nonsense; see 'drydock paint --help'
          paint --nonsense=1  | unknown flag: --nonsense=1; see 'drydock paint --help'
          crew list -x        | unknown flag: -x; see 'drydock crew list --help'
          crew list a b       | unexpected argument "a" for "drydock crew list"; see 'drydock crew list --help'
          paint --colour      | flag needs a value: --colour <colour>; see 'drydock paint --help'
          paint --speed warp  | invalid value "warp" for --speed: use one of slow, fast; see 'drydock paint --help'
          paint --coats x     | invalid value "x" for --coats: use a whole number; see 'drydock paint --help'
          paint --drying x    | invalid value "x" for --drying: use a time like 90s or 1h30m; see 'drydock paint --help'
          paint --twice=x     | invalid value "x" for --twice: use true or false; see 'drydock paint --help'
          paint warp          | invalid value "warp" for SPEED: use one of slow, fast; see 'drydock paint --help'
          crew hire           | missing argument: NAME; see 'drydock crew hire --help'
          help crew hier      | unknown command "hier" for "drydock crew" (did you mean "hire"?); see 'drydock crew --help'
          paint --col         | unknown flag: --col; see 'drydock paint --help'
          paint --color       | unknown flag: --color (did you mean "--colour"?); see 'drydock paint --help'
          paint --coat=2      | unknown flag: --coat=2 (did you mean "--coats"?); see 'drydock paint --help'
          paint --secrets     | unknown flag: --secrets; see 'drydock paint --help'
          --contex=prod       | unknown flag: --contex=prod (did you mean "--context"?); see 'drydock --help'
          """)
  void wrongUsageIsOneLineAndExitCodeTwo(String arguments, String message) {
    Outcome outcome = shell.run(arguments.split(" "));

    assertThat(outcome).isEqualTo(new Outcome(2, "", "error: " + message + System.lineSeparator()));
  }

  @ParameterizedTest
  @CsvSource({
    "--twice, true null",
    "--twice=false, false null",
    "--twice=true, true null",
    "--twice slow, true slow",
    "'', false null",
  })
  void aSwitchTakesAValueOnlyBehindAnEqualsSign(String arguments, String painted) {
    Outcome outcome = shell.run(("paint " + arguments).strip().split(" "));

    assertThat(outcome.out().strip()).as(outcome.err()).endsWith(painted);
  }

  @Test
  void hiddenCommandsAreNotSuggested() {
    assertThat(shell.run("bilgy").err()).doesNotContain("did you mean");
  }

  @Test
  void aFailureIsItsMessageOnOneLineAndExitCodeOne() {
    Outcome outcome = sink(new CommandFailure("the ship has a hole; plug it"));

    assertThat(outcome)
        .isEqualTo(
            new Outcome(1, "", "error: the ship has a hole; plug it" + System.lineSeparator()));
  }

  @Test
  void aFailureOfUsageHasExitCodeTwo() {
    assertThat(sink(CommandFailure.usage("--fast and --slow exclude each other")))
        .isEqualTo(
            new Outcome(
                2, "", "error: --fast and --slow exclude each other" + System.lineSeparator()));
  }

  @Test
  void aBugIsOneLineThatSaysHowToReportIt() {
    Outcome outcome = sink(new IllegalStateException("keel\nmissing"));

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .hasLineCount(1)
        .startsWith("error: internal error: java.lang.IllegalStateException: keel")
        .contains("DRYDOCK_DEBUG=1");
  }

  @Test
  void anInterruptedCommandSaysSoAndLeavesTheThreadInterrupted() {
    Outcome outcome = sink(new InterruptedException());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcome)
        .isEqualTo(new Outcome(1, "", "error: interrupted" + System.lineSeparator()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "paint", "float", "crew", "crew list", "crew hire", "help"})
  void everyLevelHasHelp(String command) {
    Outcome outcome = shell.run((command + " --help").strip().split(" "));

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains(("Usage: drydock " + command).strip(), "-h, --help");
  }

  @Test
  void helpListsEveryCommandExceptHiddenOnes() {
    assertThat(shell.run("--help").out())
        .contains("paint", "float", "crew")
        .doesNotContain("bilge", "__complete");
  }

  @Test
  void helpOfACommandShowsItsFlags() {
    assertThat(shell.run("help", "paint").out()).isEqualTo(shell.run("paint", "--help").out());
    assertThat(shell.run("help", "crew", "hire").out())
        .isEqualTo(shell.run("crew", "hire", "--help").out());
    assertThat(shell.run("help").out()).isEqualTo(shell.run("--help").out());
  }

  @Test
  void clusterFlagsMayStandBeforeAndAfterTheCommand(@TempDir Path folder) throws IOException {
    Path file = Kubeconfigs.write(folder.resolve("config"), "one", "two");

    Outcome outcome =
        shell.run(
            "--kubeconfig",
            file.toString(),
            "--context",
            "one",
            "float",
            "--context",
            "two",
            "-n",
            "ops");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(0, "https://two.invalid:6443/ two ops" + System.lineSeparator(), ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--kubeconfig", "--context", "--namespace"})
  void aClusterFlagThatACommandWouldNotReadIsRefused(String flag) {
    assertThat(shell.run(flag, "x", "paint"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "error: %s does not apply to \"drydock paint\"; see 'drydock paint --help'%n"
                    .formatted(flag)));
  }

  @Test
  void aClusterFlagBeforeACommandDoesNotHideItsHelp() {
    assertThat(shell.run("--context", "x", "paint", "--help").exitCode()).isZero();
  }

  @Test
  void argumentsArePassedAsTheyAre(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("arguments"), "blue");

    assertThat(shell.run("paint", "--colour", "@" + file).out()).contains("painted @" + file);
    assertThat(shell.run("paint", "--colour", "light blue").out()).contains("painted light blue");
  }

  @Test
  void commandsBehindTheOneThatIsNamedAreNotEvenLoaded() {
    List<DrydockCommand> commands = List.of(new SampleCommands.Crew(), new SampleCommands.Paint());
    Iterable<DrydockCommand> onlyThose =
        () ->
            new Iterator<>() {
              private final Iterator<DrydockCommand> given = commands.iterator();

              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public DrydockCommand next() {
                return given.next();
              }
            };

    assertThat(CommandRunner.create(new TestingShell.Root(), onlyThose, "paint").getSubcommands())
        .containsOnlyKeys("paint");
  }

  private static Outcome sink(Exception failure) {
    return new TestingShell(new SampleCommands.Sink(failure)).run("sink");
  }
}

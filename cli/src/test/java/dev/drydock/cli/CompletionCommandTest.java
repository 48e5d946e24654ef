package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the scripts in their shells, with a program that returns scripted candidates. */
class CompletionCommandTest {
  private static final TestingShell PROGRAM = new TestingShell(new CompletionCommand());

  @TempDir private Path folder;

  @BeforeEach
  void makeThePrograms() throws IOException {
    Path program = folder.resolve("drydock");
    Files.writeString(
        program,
        """
        #!/bin/sh
        printf '<%s>' "$@" >"${0%/*}/asked"
        cat "${0%/*}/answer"
        """);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void everyShellAcceptsItsScript(CompletionCommand.Shell shell) throws Exception {
    assumeTrue(installed(shell.name()), shell + " is not installed");
    Path script = Files.writeString(folder.resolve("script"), script(shell.name()));

    assertThat(run(shell.name(), "-n", script.toString())).isEmpty();
  }

  @Test
  void bashOffersCandidatesWithoutTheirDescription() throws Exception {
    answer("paint\tPaint the hull.", "patch", ":4");

    assertThat(bash("drydock", "--context", "x y", "pa")).containsExactly("paint", "patch");
    assertThat(asked()).isEqualTo("<__complete><--context><x y><pa>");
  }

  @Test
  void bashPassesTheEmptyWordThatIsBeingTyped() throws Exception {
    answer("paint", ":4");

    assertThat(bash("drydock", "")).containsExactly("paint");
    assertThat(asked()).isEqualTo("<__complete><>");
  }

  @Test
  void bashCompletesWhatFollowsAnEqualsSign() throws Exception {
    answer("--output=json", ":4");

    assertThat(bash("drydock", "version", "--output", "=", "j")).containsExactly("json");
    assertThat(asked()).isEqualTo("<__complete><version><--output=j>");
    assertThat(bash("drydock", "version", "--output", "=")).containsExactly("json");
    assertThat(asked()).isEqualTo("<__complete><version><--output=>");
  }

  @Test
  void bashOffersFilesWhereTheyAreMeantAndOnlyThere() throws Exception {
    Files.createFile(folder.resolve("config file"));
    answer(":0");
    assertThat(bash("drydock", "--kubeconfig", "conf")).containsExactly("config file");

    answer(":4");
    assertThat(bash("drydock", "nonsense", "conf")).isEmpty();
  }

  @Test
  void bashOffersNothingWhenTheProgramFails() throws Exception {
    assertThat(bash("drydock", "pa")).isEmpty();
  }

  /** COMPREPLY for these words, with the cursor in the last one. */
  private List<String> bash(String... words) throws Exception {
    Files.writeString(folder.resolve("completion.bash"), script("bash"));
    Files.writeString(
        folder.resolve("ask"),
        """
        cd "${0%/*}"
        PATH=$PWD:$PATH
        . ./completion.bash
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _drydock_complete
        for reply in "${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done
        """);
    return run(
        Stream.concat(Stream.of("bash", folder.resolve("ask").toString()), Arrays.stream(words))
            .toArray(String[]::new));
  }

  private void answer(String... lines) throws IOException {
    Files.write(folder.resolve("answer"), Arrays.asList(lines));
  }

  private String asked() throws IOException {
    return Files.readString(folder.resolve("asked"));
  }

  private static String script(String shell) {
    TestingShell.Outcome outcome = PROGRAM.run("completion", shell);
    assertThat(outcome.exitCode()).isZero();
    return outcome.out();
  }

  private static boolean installed(String shell) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, shell)));
  }

  private List<String> run(String... command) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.waitFor();
    return Files.readAllLines(output);
  }
}

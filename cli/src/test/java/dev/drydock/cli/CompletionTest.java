package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionTest {
  private final TestingShell shell =
      new TestingShell(
          new SampleCommands.Paint(),
          new SampleCommands.Launch(),
          new SampleCommands.Crew(),
          new SampleCommands.Bilge(),
          new SampleCommands.Moor(),
          new CompletionCommand());

  @Test
  void commandsComeWithTheirDescription() {
    assertThat(complete("pa")).containsExactly("paint\tPaint the hull.", ":4");
  }

  @Test
  void nothingTypedOffersEveryCommandThatIsNotHidden() {
    assertThat(names(complete("")))
        .containsExactly("completion", "crew", "float", "help", "moor", "paint", ":4");
    assertThat(complete()).isEqualTo(complete(""));
  }

  @Test
  void subcommandsAreOffered() {
    assertThat(names(complete("crew", ""))).containsExactly("hire", "list", ":4");
  }

  @Test
  void flagsOfTheCommandAreOfferedExceptHiddenOnes() {
    assertThat(names(complete("paint", "--")))
        .containsExactly(
            "--coats", "--colour", "--dry", "--drying", "--help", "--speed", "--twice", ":4");
  }

  @Test
  void clusterFlagsAreOfferedBeforeTheCommandToo() {
    assertThat(names(complete("--k"))).containsExactly("--kubeconfig", ":4");
  }

  @Test
  void valuesOfAFlagFollowIt() {
    assertThat(complete("paint", "--speed", "")).containsExactly("fast", "slow", ":4");
    assertThat(complete("paint", "--speed", "f")).containsExactly("fast", ":4");
    assertThat(complete("paint", "--speed=f")).containsExactly("--speed=fast", ":4");
  }

  @Test
  void aFlagWithFreeValuesLetsTheShellOfferFiles() {
    assertThat(complete("float", "--kubeconfig", "")).containsExactly(":0");
    assertThat(complete("float", "--kubeconfig=")).containsExactly(":0");
  }

  @Test
  void aSwitchTakesNoValue() {
    assertThat(complete("paint", "--dry", "")).containsExactly("fast", "slow", ":4");
    assertThat(complete("paint", "--twice", "")).containsExactly("fast", "slow", ":4");
  }

  @Test
  void theValueOfAFlagIsNotTakenForACommand() {
    assertThat(names(complete("--context", "paint", "fl"))).containsExactly("float", ":4");
  }

  @Test
  void valuesOfAnArgumentAreOffered() {
    assertThat(complete("completion", "")).containsExactly("bash", "fish", "zsh", ":4");
    assertThat(complete("paint", "s")).containsExactly("slow", ":4");
  }

  @Test
  void nodesAreOfferedAsTheClusterThatIsMeantKnowsThem(@TempDir Path folder) throws Exception {
    try (TestingNodes cluster = new TestingNodes("node-1", "node-2", "other")) {
      String kubeconfig = cluster.kubeconfig(folder).toString();

      assertThat(complete("moor", "--kubeconfig", kubeconfig, ""))
          .containsExactly("node-1", "node-2", "other", ":4");
      assertThat(complete("--kubeconfig=" + kubeconfig, "moor", "node-1", "node-"))
          .as("what is there already is not offered again")
          .containsExactly("node-2", ":4");
      assertThat(complete("moor", "--kubeconfig", kubeconfig, "--beside", "o"))
          .containsExactly("other", ":4");
      assertThat(complete("moor", "--kubeconfig", kubeconfig, "--beside=o"))
          .containsExactly("--beside=other", ":4");
    }
  }

  @Test
  void aClusterThatDoesNotAnswerHasNoNodesToOffer(@TempDir Path folder) throws Exception {
    Path nowhere = Kubeconfigs.write(folder.resolve("config"), "one");

    assertThat(complete("moor", "--kubeconfig", nowhere.toString(), "")).containsExactly(":4");
    assertThat(complete("moor", "--kubeconfig", folder + "/missing", "")).containsExactly(":4");
  }

  @Test
  void whatIsNotKnownHasNoCandidates() {
    assertThat(complete("paint", "--nonsense=x")).containsExactly(":4");
    assertThat(complete("nonsense", "xyz")).containsExactly(":4");
  }

  private List<String> complete(String... words) {
    String[] arguments = new String[words.length + 1];
    arguments[0] = "__complete";
    System.arraycopy(words, 0, arguments, 1, words.length);
    TestingShell.Outcome outcome = shell.run(arguments);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return Arrays.asList(outcome.out().split(System.lineSeparator()));
  }

  private static List<String> names(List<String> lines) {
    return lines.stream().map(line -> line.replaceFirst("\t.*", "")).toList();
  }
}

package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardianTest {
  private Path directory = Path.of("");
  private Path log = Path.of("");

  @BeforeEach
  void makeFolder(@TempDir Path parent) throws IOException {
    directory = Files.createDirectory(parent.resolve("a 'quoted' $folder")).toRealPath();
    log = directory.resolve("log");
  }

  @Test
  void stopsProcessesThatLeftTheirParentAndSession() throws IOException {
    Guardian guardian = Guardian.of(directory);
    Process parent =
        guardian.start(List.of("bash", "-c", "setsid -f sleep 600; exit"), Map.of(), log);
    parent.onExit().join();
    assertThat(MarkedProcesses.of(directory)).hasSize(1);

    guardian.close();

    assertThat(MarkedProcesses.of(directory)).isEmpty();
    assertThat(directory).doesNotExist();
  }

  @Test
  void asksBeforeItKills() throws IOException {
    Path witness = directory.resolveSibling("witness");
    Guardian guardian = Guardian.of(directory);
    guardian.start(
        List.of(
            "bash",
            "-c",
            "trap 'echo asked > \"$1\"; exit' TERM; touch \"$2\"; while :; do sleep 0.1; done",
            "polite",
            witness.toString(),
            directory.resolve("ready").toString()),
        Map.of(),
        log);
    await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(directory.resolve("ready")));

    guardian.close();

    assertThat(witness).hasContent("asked");
  }

  @Test
  void leavesOtherClustersAlone() throws IOException {
    Path other = Files.createDirectory(directory.resolveSibling("other")).toRealPath();
    try (Guardian otherGuardian = Guardian.of(other)) {
      Process neighbour =
          otherGuardian.start(List.of("sleep", "600"), Map.of(), other.resolve("log"));
      Guardian guardian = Guardian.of(directory);
      guardian.start(List.of("sleep", "600"), Map.of(), log);

      guardian.close();

      assertThat(neighbour.isAlive()).isTrue();
      assertThat(other).exists();
    }
  }

  @Test
  void unmountsWhatIsMountedInTheFolderBeforeItRemovesIt() throws IOException {
    Path precious = Files.createDirectory(directory.resolveSibling("precious"));
    Files.writeString(precious.resolve("file"), "kept");
    Path mountPoint = Files.createDirectory(directory.resolve("mount point"));
    CommandResult mount =
        CommandResult.run(
            List.of("mount", "--bind", precious.toString(), mountPoint.toString()), Map.of(), "");
    Guardian guardian = Guardian.of(directory);

    guardian.close();

    assertThat(directory).doesNotExist();
    assertThat(precious.resolve("file")).hasContent("kept");
    assumeTrue(mount.succeeded(), "this user may not mount");
  }

  @Test
  void startsNothingOnceClosed() {
    Guardian guardian = Guardian.of(directory);
    guardian.close();
    guardian.close();

    assertThatThrownBy(() -> guardian.start(List.of("sleep", "600"), Map.of(), log))
        .isInstanceOf(TestbedException.class)
        .hasMessage("the cluster in %s was stopped", directory);
  }
}

package dev.drydock.edge.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.edge.decide.RequestAsker;
import dev.drydock.edge.decide.RequestDecider.Presence;
import dev.drydock.edge.record.PublishedFiles.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFolderTest {
  private static final Duration WAITS = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void aProcessThatIsKilledHasEnded() throws IOException, InterruptedException {
    Process child = new ProcessBuilder("sleep", "600").start();
    try {
      RequestAsker asker = ProcFolder.HERE.asker(child.pid(), WAITS);
      assertThat(ProcFolder.HERE.presence(asker)).isEqualTo(Presence.RUNS);

      var _ = child.destroyForcibly().waitFor();

      assertThat(ProcFolder.HERE.presence(asker)).isEqualTo(Presence.ENDED);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void anotherProcessWithTheSamePidIsNotTheOneThatAsked() {
    RequestAsker self = ProcFolder.HERE.self(WAITS);

    assertThat(ProcFolder.HERE.presence(self)).isEqualTo(Presence.RUNS);
    assertThat(ProcFolder.HERE.presence(like(self, self.started() - 1, self.namespace())))
        .isEqualTo(Presence.ENDED);
  }

  @Test
  void aProcessOfAnotherNamespaceIsNotSeen() {
    RequestAsker self = ProcFolder.HERE.self(WAITS);

    assertThat(ProcFolder.HERE.presence(like(self, self.started(), "pid:[1]")))
        .isEqualTo(Presence.UNSEEN);
  }

  private static RequestAsker like(RequestAsker self, long started, String namespace) {
    return new RequestAsker(self.pid(), started, namespace, self.uptime(), WAITS);
  }

  @Test
  void theUptimeGoesOn() {
    Duration before = ProcFolder.HERE.uptime();

    assertThat(before).isPositive();
    assertThat(ProcFolder.HERE.uptime()).isGreaterThanOrEqualTo(before);
  }

  private ProcFolder made(String stat) throws IOException {
    Files.createDirectories(folder.resolve("self/ns"));
    Files.createSymbolicLink(folder.resolve("self/ns/pid"), Path.of("pid:[7]"));
    Files.createDirectories(folder.resolve("12"));
    Files.writeString(folder.resolve("12/stat"), stat);
    Files.writeString(folder.resolve("uptime"), "350735.47 234388.90\n");
    return new ProcFolder(folder);
  }

  @Test
  void theNameOfAProcessMayBeAnything() throws IOException {
    RequestAsker asker =
        made("12 (a) S 1 (b) S 1 1 1 0 -1 4194304 9 0 0 0 1 2 0 0 20 0 1 0 987 3 4")
            .asker(12, WAITS);

    assertThat(asker)
        .isEqualTo(new RequestAsker(12, 987, "pid:[7]", Duration.ofMillis(350735470), WAITS));
  }

  @Test
  void aProcessWhoseParentHasNotNoticedItsEndHasEnded() throws IOException {
    ProcFolder proc = made("12 (java) Z 1 1 1 0 -1 4194304 9 0 0 0 1 2 0 0 20 0 1 0 987 3 4");

    assertThat(proc.presence(new RequestAsker(12, 987, "pid:[7]", Duration.ZERO, WAITS)))
        .isEqualTo(Presence.ENDED);
  }

  @Test
  void aMachineWithoutSuchFilesSaysWhichIsMissing() {
    assertThatThrownBy(() -> new ProcFolder(folder).uptime())
        .isInstanceOf(FileFailure.class)
        .hasMessageContaining("cannot read " + folder.resolve("uptime"));
  }
}

package dev.drydock.edge.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.edge.DyingFiles;
import dev.drydock.testkit.ProcessDeath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers see the old text or the new one, whatever happens to the writer. */
class PublishedFilesTest {
  private static final String OLD = "{\"Status\":2,\"RequestedBy\":1}";
  private static final String NEW =
      "{\"Status\":9,\"RequestedBy\":2,\"more\":\"" + "x".repeat(9000) + "\"}";

  @TempDir private Path folder;

  @Test
  void tenThousandReadsDuringChangesSeeWholeTexts() throws IOException {
    Path file = folder.resolve("status.json");
    PublishedFiles files = new PublishedFiles(new DiskFiles());
    files.publish(file, OLD);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Integer> writer =
        CompletableFuture.supplyAsync(
            () -> {
              int changes = 0;
              while (!over.get()) {
                files.publish(file, changes++ % 2 == 0 ? NEW : OLD);
              }
              return changes;
            },
            task -> Thread.ofPlatform().daemon().start(task));
    for (int i = 0; i < 10_000; i++) {
      assertThat(Files.readString(file)).isIn(OLD, NEW);
    }
    over.set(true);
    assertThat(writer.join()).as("changes meanwhile").isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void aWriterThatDiesLeavesTheOldTextOrTheNew(DyingFiles.Moment moment) throws IOException {
    for (int last = 1; last < 20; last++) {
      Path file = Files.createDirectories(folder.resolve(moment + "-" + last)).resolve("a.json");
      Files.writeString(file, OLD);
      DyingFiles dying = new DyingFiles(last, moment);
      PublishedFiles files = new PublishedFiles(dying);
      try {
        files.publish(file, NEW);
        assertThat(dying.changes()).isEqualTo(last - 1);
        return;
      } catch (ProcessDeath death) {
        assertThat(Files.readString(file)).isIn(OLD, NEW);
      }
      PublishedFiles next = new PublishedFiles(new DiskFiles());
      next.removeUnfinished(file);
      next.publish(file, NEW);
      assertThat(Files.readString(file)).isEqualTo(NEW);
      try (Stream<Path> left = Files.list(folder.resolve(moment + "-" + last))) {
        assertThat(left).containsExactly(file);
      }
    }
  }

  @Test
  void theSameTextIsNotWrittenAgain() {
    DyingFiles counted = DyingFiles.never();
    PublishedFiles files = new PublishedFiles(counted);
    files.publish(folder.resolve("deep/er/a.json"), OLD);
    int changes = counted.changes();
    files.publish(folder.resolve("deep/er/a.json"), OLD);

    assertThat(counted.changes()).isEqualTo(changes);
  }

  @Test
  void whatCannotBeWrittenIsNamed() throws IOException {
    Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(
            () ->
                new PublishedFiles(new DiskFiles())
                    .publish(folder.resolve("file/status.json"), OLD))
        .isInstanceOf(PublishedFiles.FileFailure.class)
        .hasMessageContaining("file/status.json");
  }

  @Test
  void afterAPowerLossTheFileHasTheOldTextOrTheNew() {
    Path file = Path.of("/run/record.json");
    int outcomes = 0;
    for (int last = 1; ; last++) {
      ForgetfulFiles files = new ForgetfulFiles();
      new PublishedFiles(files).publish(file, OLD);
      files.losePowerAt(last);
      boolean died = false;
      try {
        new PublishedFiles(files).publish(file, NEW);
      } catch (ProcessDeath death) {
        died = true;
      }
      for (ForgetfulFiles after : files.afterPowerLoss()) {
        outcomes++;
        assertThat(new PublishedFiles(after).read(file).orElse("nothing"))
            .as("power lost at operation %d", last)
            .isIn(died ? List.of(OLD, NEW) : List.of(NEW));
      }
      if (!died) {
        break;
      }
    }
    assertThat(outcomes).isGreaterThan(10);
  }

  @Test
  void afterAPowerLossARemovedFileIsGoneOrWhole() {
    Path file = Path.of("/run/record.json");
    for (int last = 1; last <= 3; last++) {
      ForgetfulFiles files = new ForgetfulFiles();
      new PublishedFiles(files).publish(file, OLD);
      files.losePowerAt(last);
      boolean died = false;
      try {
        new PublishedFiles(files).remove(file);
      } catch (ProcessDeath death) {
        died = true;
      }
      for (ForgetfulFiles after : files.afterPowerLoss()) {
        assertThat(new PublishedFiles(after).read(file).orElse("nothing"))
            .isIn(died ? List.of(OLD, "nothing") : List.of("nothing"));
      }
    }
  }
}

package dev.drydock.health.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.operator.EventStores;
import dev.drydock.health.operator.HealthSettings.StoreKind;
import dev.drydock.kube.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that writes to a store is killed at random. */
public abstract class KilledWriterContract {
  private static final int KILLS = 4;

  @TempDir private Path folder;
  private final Random random = new Random(17);

  protected abstract StoreKind kind();

  /** The original's variables. */
  protected Map<String, String> environment() {
    return Map.of();
  }

  /** Writes from this batch on, is killed after some, and returns the last that it acknowledged. */
  private int writeAndKill(int first) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WritingProcess.class.getName(),
                kind().name(),
                folder.toString(),
                Integer.toString(first))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment());
    Process process = builder.start();
    int acknowledged = first - 1;
    int wanted = 5 + random.nextInt(40);
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    while (line != null) {
      if (line.startsWith("stored ")) {
        acknowledged = Integer.parseInt(line.substring("stored ".length()));
        if (acknowledged - first == wanted) {
          // SIGKILL, while it goes on; by the handle, so that what it said can still be read
          var _ = ProcessHandle.of(process.pid()).orElseThrow().destroyForcibly();
        }
      }
      line = output.readLine();
    }
    process.waitFor();
    return acknowledged;
  }

  @Test
  void everyAcknowledgedBatchIsThereOnceInOrderAndWhole() throws Exception {
    int acknowledged = -1;
    for (int kill = 0; kill < KILLS; kill++) {
      acknowledged = writeAndKill(acknowledged + 1);
    }

    List<String> stored = new ArrayList<>();
    try (EventStore store =
        EventStores.open(kind(), Optional.of(folder), environment(), TimeSource.REAL)) {
      EventQuery query = EventQuery.ALL.atMost(500);
      List<StoredEvent> page = store.query(query);
      while (!page.isEmpty()) {
        page.forEach(each -> stored.add(each.event().message()));
        page = store.query(query.after(page.getLast()));
      }
    }
    List<String> wanted = new ArrayList<>();
    for (int number = 0; number <= acknowledged; number++) {
      WritingProcess.batch(number).forEach(event -> wanted.add(event.message()));
    }
    assertThat(wanted).hasSizeGreaterThan(KILLS * 5 * WritingProcess.BATCH);
    assertThat(stored).doesNotHaveDuplicates().startsWith(wanted.toArray(String[]::new));
    // at most the batch that nobody acknowledged
    assertThat(stored.size()).isLessThanOrEqualTo(wanted.size() + WritingProcess.BATCH);
  }
}

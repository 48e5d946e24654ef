package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.UnixSockets;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connector, ingest and store are killed at random while a monitor sends. {@code
 * -Ddrydock.killed.events=100000} sends more events than a usual run does.
 */
class KilledProcessTest {
  private static final int EVENTS = Integer.getInteger("drydock.killed.events", 3000);
  private static final int BATCH = 10;

  /** One kill for so many batches. */
  private static final int BATCHES_PER_KILL = 100;

  @TempDir private Path folder;
  private final Random random = new Random(17);

  private Process start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KillableProcess.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    while (line != null && !line.startsWith("ready")) {
      line = output.readLine();
    }
    assertThat(line).isEqualTo("ready true");
    // whoever does not read stops a process that logs
    Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {}));
    return process;
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly(); // SIGKILL
    process.waitFor();
  }

  private ManagedChannel channel() {
    return UnixSockets.channel(
        folder.resolve("c.sock"), MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
  }

  private static List<HealthEvent> batch(int number, int attempt) {
    return IntStream.range(0, BATCH)
        .mapToObj(
            i ->
                HealthEvent.builder()
                    .nodeName("node")
                    .message("%d/%d/%d".formatted(number, attempt, i))
                    .build())
        .toList();
  }

  @Test
  void everyAcknowledgedEventIsThereOnceAndInOrder() throws Exception {
    List<String> acknowledged = new ArrayList<>();
    Process process = start();
    ManagedChannel channel = channel();
    for (int number = 0; number < EVENTS / BATCH; number++) {
      boolean taken = false;
      for (int attempt = 0; !taken; attempt++) {
        List<HealthEvent> batch = batch(number, attempt);
        Process victim = process;
        if (random.nextInt(BATCHES_PER_KILL) == 0 && attempt == 0) {
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      kill(victim);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
        }
        try {
          var _ =
              PlatformConnectorGrpc.newBlockingStub(channel)
                  .withDeadlineAfter(10, TimeUnit.SECONDS)
                  .healthEventOccurredV1(EventMessages.batch(batch));
          batch.forEach(event -> acknowledged.add(event.message()));
          taken = true;
        } catch (StatusRuntimeException dead) {
          channel.shutdownNow();
          kill(process);
          process = start();
          channel = channel();
        }
      }
    }
    kill(process);
    process = start();

    try (EmbeddedStore store = EmbeddedStore.open(folder.resolve("store"), TimeSource.REAL)) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Set.copyOf(messages(store)).containsAll(acknowledged));
      List<String> stored = messages(store);
      assertThat(stored).doesNotHaveDuplicates();
      assertThat(stored.stream().filter(Set.copyOf(acknowledged)::contains).toList())
          .isEqualTo(acknowledged);
    } finally {
      channel.shutdownNow();
      kill(process);
    }
  }

  private static List<String> messages(EmbeddedStore store) {
    List<String> messages = new ArrayList<>();
    List<StoredEvent> page = store.query(EventQuery.ALL.atMost(10_000));
    while (!page.isEmpty()) {
      page.forEach(each -> messages.add(each.event().message()));
      page = store.query(EventQuery.ALL.atMost(10_000).after(page.getLast()));
    }
    return messages;
  }
}

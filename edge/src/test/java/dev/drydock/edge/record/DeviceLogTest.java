package dev.drydock.edge.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that tools for EVE's device log find. */
class DeviceLogTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(1725511530990L), ZoneOffset.UTC);

  @TempDir private Path root;

  private List<Path> kept() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("keepSentQueue"))) {
      return files.sorted().toList();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(gzip.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** What {@code zgrep | jq -r .content | jq -r .msg | cut -d ':' -f 2} does. */
  private static String seconds(String line) throws IOException {
    String content = Json.read(line).path("content").asText();
    return Json.read(content).path("msg").asText().split(":", -1)[1];
  }

  @Test
  void theSecondsAreFoundWhereTheyAlwaysWere() throws IOException {
    try (DeviceLog log = new DeviceLog(root, CLOCK, 2048)) {
      log.line("info", "kubevirt_node_drain_completion_time_seconds:34.559219");
      assertThat(root.resolve("collect/current.device.log")).isSymbolicLink().isNotEmptyFile();
    }

    assertThat(kept()).containsExactly(root.resolve("keepSentQueue/dev.log.1725511530990.gz"));
    String line = lines(kept().getFirst()).getFirst();
    assertThat(seconds(line)).isEqualTo("34.559219");
    assertThat(Json.read(line).path("severity").asText()).isEqualTo("info");
    assertThat(Json.read(line).path("msgid").asLong()).isEqualTo(1);
    assertThat(Json.read(line).path("timestamp").path("seconds").asLong()).isEqualTo(1725511530L);
  }

  @Test
  void theLineOfTheDocumentationPrintsTheSeconds() throws IOException, InterruptedException {
    try (DeviceLog log = new DeviceLog(root, CLOCK, 2048)) {
      log.line("info", "nodedrain-step:drain-complete");
      log.line("info", "kubevirt_node_drain_completion_time_seconds:34.559219");
    }
    String line =
        Files.readAllLines(Path.of("..", "docs", "edge.md")).stream()
            .filter(each -> each.startsWith("zgrep "))
            .findFirst()
            .orElseThrow()
            .replace("/persist/newlog", root.toString());
    Process shell = new ProcessBuilder("bash", "-c", "set -o pipefail; " + line).start();
    String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(shell.waitFor() != 127, "no zgrep or jq on this machine");

    assertThat(out).isEqualTo("34.559219\n");
  }

  @Test
  void whatACrashLeftIsKept() throws IOException {
    Files.createDirectories(root.resolve("collect"));
    Files.writeString(root.resolve("collect/dev.log.keep.7"), "{\"content\":\"left\"}\n");
    try (DeviceLog log = new DeviceLog(root, CLOCK, 2048)) {
      log.line("info", "next");
    }

    assertThat(kept()).hasSize(2);
    assertThat(lines(kept().getFirst())).containsExactly("{\"content\":\"left\"}");
  }

  @Test
  void largeLogsAreSplitAndTheOldestGo() throws IOException {
    Random random = new Random(1);
    List<String> all = new ArrayList<>();
    try (DeviceLog log = new DeviceLog(root, CLOCK, 1)) {
      for (int i = 0; i < 1200; i++) {
        byte[] noise = new byte[1000];
        random.nextBytes(noise);
        String text = i + " " + Base64.getEncoder().encodeToString(noise);
        all.add(text);
        log.line("info", text);
      }
    }

    long size = 0;
    for (Path file : kept()) {
      assertThat(Files.size(file)).isLessThanOrEqualTo(50 * 1024);
      size += Files.size(file);
    }
    assertThat(size).isLessThanOrEqualTo(1024 * 1024).isGreaterThan(900 * 1024);
    assertThat(lines(kept().getLast()).getLast()).contains(all.getLast());
  }
}

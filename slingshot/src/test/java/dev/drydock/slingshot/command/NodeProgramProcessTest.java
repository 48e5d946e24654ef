package dev.drydock.slingshot.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs as processes: their pages, and their end. */
class NodeProgramProcessTest {
  private final Path folder;
  private final FakeNics machine;
  private @Nullable Process process;

  NodeProgramProcessTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    machine = FakeNics.create(folder.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
  }

  @AfterEach
  void stop() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  private Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            CommandMain.class.getName(),
            "cxi"));
    command.addAll(List.of(words));
    command.add("--host-root=" + folder.resolve("machine"));
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    process = started;
    return started;
  }

  /** The code and the text of a page; code 0 if nobody answers. */
  private static String page(int port, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://127.0.0.1:%d%s".formatted(port, path)).toURL().openConnection();
    int code = connection.getResponseCode();
    try (InputStream in = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return code + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void awaitPage(int port, String path, String begin) {
    Eventually.inRealTime()
        .untilAsserted(
            () ->
                assertThat(page(port, path))
                    .as(Files.readString(folder.resolve("log")))
                    .startsWith(begin));
  }

  private static void terminate(Process program) throws InterruptedException {
    program.destroy();
    assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void aRetryHandlerServesItsStatusAndEndsItsChildren() throws Exception {
    int port = Ports.free();
    Process supervisor =
        start(
            "retry-handler",
            "--health-port=" + port,
            "--cxi-rh-path=" + machine.retryHandler(),
            "--poll-interval=100ms");
    awaitPage(port, "/readyz", "200 ok");
    awaitPage(port, "/healthz", "200 ok");
    awaitPage(port, "/status", "200 {\"handlers\":[{\"device\":\"cxi0\",\"running\":true,\"pid\":");
    Eventually.inRealTime()
        .until(() -> Files.exists(machine.roots().runCxi().resolve("cxi0/nacks")));
    List<ProcessHandle> children = supervisor.children().toList();

    terminate(supervisor);

    assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(machine.roots().runCxi().resolve("cxi0.running")).doesNotExist();
  }

  @Test
  void aPluginIsReadyOnlyWithAKubelet() throws Exception {
    int port = Ports.free();
    Process plugin =
        start("device-plugin", "--health-port=" + port, "--kubelet-folder=" + folder.resolve("k"));
    awaitPage(port, "/healthz", "200 ok");
    awaitPage(port, "/readyz", "503 no kubelet listens in its folder");
    assertThat(folder.resolve("k/cxi-plugin.sock")).exists();

    terminate(plugin);

    assertThat(folder.resolve("k/cxi-plugin.sock")).doesNotExist();
  }

  @Test
  void anExporterServesMetrics() throws Exception {
    int port = Ports.free();
    start("metrics-exporter", "--metrics-port=" + port, "--retry-handler-url=", "--node-name=n1");

    awaitPage(port, "/readyz", "200 ok");
    assertThat(page(port, "/metrics")).contains("cxi_device_count{node=\"n1\"} 1.0");
  }

  /** With the same process ID: whoever started it waits for the handler itself. */
  @Test
  void aSingleHandlerIsTheVendorsProgram() throws Exception {
    Process single =
        start(
            "retry-handler",
            "--mode=single",
            "--device=cxi0",
            "--cxi-rh-path=" + machine.retryHandler());

    Eventually.inRealTime()
        .untilAsserted(
            () ->
                assertThat(Files.readString(Path.of("/proc/%d/cmdline".formatted(single.pid()))))
                    .as(Files.readString(folder.resolve("log")))
                    .contains("cxi_rh\0--device=cxi0\0--log-stdout"));
    Eventually.inRealTime()
        .until(() -> Files.exists(machine.roots().runCxi().resolve("cxi0/nacks")));
    terminate(single);
    assertThat(single.exitValue()).isZero();
    assertThat(folder.resolve("log")).content().contains("cxi0: timeouts restored");
  }
}

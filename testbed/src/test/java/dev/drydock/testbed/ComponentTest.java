package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComponentTest {

  @Test
  void lastWordsAreTheLastFailureWithoutItsHeading() {
    assertThat(
            Component.lastWords(
                List.of(
                    "I1115 21:00:00.000000     123 server.go:1] starting",
                    "E1115 21:00:01.000000     123 run.go:72] \"command failed\" err=\"no port\"",
                    "I1115 21:00:02.000000     123 server.go:9] bye")))
        .isEqualTo("\"command failed\" err=\"no port\"");
  }

  @Test
  void lastWordsOfEtcdAreItsMessageAndError() {
    assertThat(
            Component.lastWords(
                List.of(
                    "{\"level\":\"info\",\"msg\":\"hello\"}",
                    "{\"level\":\"fatal\",\"caller\":\"x.go:1\",\"msg\":\"discovery failed\","
                        + "\"error\":\"no key\",\"stacktrace\":\"a\\nb\"}")))
        .isEqualTo("discovery failed: no key");
  }

  @Test
  void lastWordsWithoutAFailureAreTheLastLine() {
    assertThat(Component.lastWords(List.of("one", "two", " "))).isEqualTo("two");
    assertThat(Component.lastWords(List.of())).isEqualTo("it logged nothing");
  }

  @Test
  void tellsATakenPortFromOtherDeaths(@TempDir Path folder) throws IOException {
    Component portTaken = run(folder, "echo 'Error: bind: address already in use'; exit 1");
    assertThatThrownBy(() -> portTaken.awaitReady(() -> false))
        .isInstanceOf(Component.PortTaken.class);

    Component broken = run(folder, "echo 'Error: bad flag'; exit 3");
    assertThatThrownBy(() -> broken.awaitReady(() -> false))
        .isExactlyInstanceOf(TestbedException.class)
        .hasMessage("program ended with exit code 3: Error: bad flag");
  }

  private static Component run(Path folder, String script) throws IOException {
    Path log = Files.createTempFile(folder, "program", ".log");
    Process process = new ProcessBuilder("bash", "-c", script).redirectOutput(log.toFile()).start();
    return new Component("program", process, log);
  }
}

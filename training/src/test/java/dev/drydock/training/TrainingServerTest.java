package dev.drydock.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.Drydock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TrainingServerTest {
  @TempDir Path folder;

  @Test
  void aDrainGoesAllItsWayThere() throws Exception {
    StringWriter out = new StringWriter();
    int exitCode;
    try (TrainingServer server = new TrainingServer(folder)) {
      String[] arguments = {
        "drain", server.node(), "--ignore-daemonsets", "--kubeconfig=" + server.kubeconfig()
      };
      CommandLine line = Drydock.commandLine(arguments).setOut(new PrintWriter(out));
      exitCode = line.execute(arguments);
    }

    assertThat(exitCode).isZero();
    assertThat(out.toString().lines().filter(text -> text.endsWith(" evicted"))).hasSize(11);
    assertThat(out.toString()).contains("node/node-1 drained").doesNotContain("waits");
  }
}

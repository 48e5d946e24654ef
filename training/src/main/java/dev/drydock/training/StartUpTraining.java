package dev.drydock.training;

import dev.drydock.app.Drydock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * What the launcher runs once, after a build, so that the JVM's ahead-of-time cache holds the
 * classes that commands need. Prints nothing and contacts only a server of its own.
 */
final class StartUpTraining {
  private static final List<String> WITHOUT_CLUSTER =
      List.of(
          "version", "version -o yaml", "version -o json", "--help", "__complete ver", "nonsense");

  private static final List<String> WITH_CLUSTER =
      List.of(
          "plan NODE --ignore-daemonsets",
          "drain NODE --ignore-daemonsets",
          "drain NODE --ignore-daemonsets -o json",
          "holds",
          "uncordon NODE");

  private StartUpTraining() {}

  /**
   * Given any word, also trains commands that talk to a cluster: a larger cache, slower to load.
   */
  public static void main(String[] words) throws IOException, GeneralSecurityException {
    WITHOUT_CLUSTER.forEach(StartUpTraining::execute);
    if (words.length > 0) {
      trainWithCluster();
    }
  }

  private static void trainWithCluster() throws IOException, GeneralSecurityException {
    Path directory = Files.createTempDirectory("drydock-training-");
    try (TrainingServer server = new TrainingServer(directory)) {
      for (String words : WITH_CLUSTER) {
        server.reset();
        execute(words.replace("NODE", server.node()) + " --kubeconfig=" + server.kubeconfig());
      }
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void execute(String words) {
    String[] arguments = words.split(" ");
    CommandLine line = Drydock.commandLine(arguments);
    line.setOut(new PrintWriter(Writer.nullWriter()));
    line.setErr(new PrintWriter(Writer.nullWriter()));
    var _ = line.execute(arguments);
  }
}

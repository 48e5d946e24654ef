package dev.drydock.testbed.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.SimulatedApiServer;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.KubernetesPrograms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The real kubectl on a simulated API server that belongs to the test. */
@Tag("cluster")
abstract class KubectlOnSim {
  @TempDir Path folder;
  private final Path kubectl = KubernetesPrograms.obtain().kubectl();
  private final Map<String, String> environment = new HashMap<>();
  private final SimulatedApiServer server;

  KubectlOnSim() {
    try {
      server = SimulatedApiServer.start(SimulatedApiServer.Options.defaults());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void configure() throws IOException {
    Path kubeconfig = server.writeKubeconfig(folder.resolve("kubeconfig"));
    environment.put("KUBECONFIG", kubeconfig.toString());
    environment.put("KUBECACHEDIR", folder.resolve("cache").toString());
    environment.put("KUBERC", "off");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** The editor program that kubectl runs. */
  final void setEditor(String command) {
    environment.put("KUBE_EDITOR", command);
  }

  final String get(String resource, String name, String jsonPath) {
    return kubectl("", "get", resource, name, "-o", "jsonpath=" + jsonPath).output();
  }

  /** The output of a command that must succeed, with white space collapsed to single spaces. */
  final String table(String... arguments) {
    return kubectl("", arguments).output().replaceAll("[ \\t]+", " ");
  }

  final CommandResult kubectl(String input, String... arguments) {
    CommandResult result = run(input, arguments);
    assertThat(result.succeeded()).as(result.toString()).isTrue();
    return result;
  }

  final CommandResult run(String input, String... arguments) {
    return CommandResult.run(command(arguments), environment, input);
  }

  private List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(kubectl.toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs a command that does not end by itself. */
  final Following follow(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command(arguments));
    builder.environment().putAll(environment);
    return new Following(builder.start());
  }

  /** Reads the output of a running command. */
  record Following(Process process, BufferedReader output) implements AutoCloseable {
    Following(Process process) {
      this(process, process.inputReader());
    }

    String nextLine() throws IOException {
      String line = output.readLine();
      return line == null ? "" : line.replaceAll("\\s+", " ").strip();
    }

    @Override
    public void close() {
      process.destroy();
    }
  }
}

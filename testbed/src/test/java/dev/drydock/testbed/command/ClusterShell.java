package dev.drydock.testbed.command;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.KubernetesPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Types cluster commands as a user would whose home folder holds nothing yet. */
record ClusterShell(Path home, KubernetesPrograms programs) {

  /** The clusters started here end with the other one, also when this JVM is killed. */
  static ClusterShell in(Path home, ControlPlane other) {
    String hosts = "'%s'/state/drydock/clusters/*/host.json".formatted(home);
    other.beforeStop(
        "clusters-of-" + home.getFileName(),
        "grep -ho '\"pid\":[0-9]*' %s | cut -d: -f2 | xargs -r kill".formatted(hosts));
    return new ClusterShell(home, other.programs());
  }

  CommandResult cluster(String... arguments) {
    return CommandResult.run(command(arguments), environment(), "");
  }

  /** For what is to be killed before it is done. */
  Process startCluster(String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command(arguments))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment());
    return builder.start();
  }

  CommandResult kubectl(String kubeconfig, String... arguments) {
    List<String> command = new ArrayList<>(List.of(programs.kubectl().toString()));
    command.addAll(
        List.of("--kubeconfig", kubeconfig, "--cache-dir", home.resolve("kubectl").toString()));
    command.addAll(List.of(arguments));
    return CommandResult.run(command, environment(), "");
  }

  Path state() {
    return home.resolve("state");
  }

  /** Where all of a cluster is. */
  Path folder(String name) {
    return state().resolve("drydock").resolve("clusters").resolve(name);
  }

  /** As the processes of a cluster carry it. */
  Path controlPlane(String name) {
    return folder(name).resolve("control-plane");
  }

  /** What all the clusters together left behind. */
  List<Path> leftovers() throws IOException {
    if (!Files.exists(state())) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(state())) {
      return files.filter(file -> !file.equals(state())).toList();
    }
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ClusterProgram.class.getName(), "cluster"));
    command.addAll(List.of(arguments));
    return command;
  }

  private Map<String, String> environment() {
    return Map.of(
        "XDG_STATE_HOME",
        state().toString(),
        "XDG_CACHE_HOME",
        home.resolve("cache").toString(),
        "KUBEBUILDER_ASSETS",
        String.valueOf(programs.kubectl().getParent()),
        "KUBERC",
        "off");
  }
}

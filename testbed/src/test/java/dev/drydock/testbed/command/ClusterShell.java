package dev.drydock.testbed.command;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.KubernetesPrograms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs cluster commands as a user with an empty home folder. */
record ClusterShell(Path home, KubernetesPrograms programs) {

  /** Clusters started here end with the outer cluster, even if this JVM is killed. */
  static ClusterShell in(Path home, ControlPlane other) {
    String hosts = "'%s'/drydock/clusters/*/host.json".formatted(home);
    other.beforeStop(
        "clusters-of-" + home.getFileName(),
        "grep -ho '\"pid\":[0-9]*' %s | cut -d: -f2 | xargs -r kill".formatted(hosts));
    return new ClusterShell(home, other.programs());
  }

  CommandResult cluster(String... arguments) {
    return CommandResult.run(command(arguments), environment(), "");
  }

  /** For commands that are killed before they finish. */
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

  /** The folder of all clusters. */
  Path clusters() {
    return home.resolve("drydock");
  }

  /** The folder of one cluster. */
  Path folder(String name) {
    return clusters().resolve("clusters").resolve(name);
  }

  /** The marker in the environment of a cluster's processes. */
  Path controlPlane(String name) {
    return folder(name).resolve("run");
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // most live for a moment only
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ClusterProgram.class.getName(), "cluster"));
    command.addAll(List.of(arguments));
    return command;
  }

  private Map<String, String> environment() {
    return Map.of(
        "XDG_STATE_HOME",
        home.toString(),
        "XDG_CACHE_HOME",
        home.resolve("cache").toString(),
        "KUBEBUILDER_ASSETS",
        String.valueOf(programs.kubectl().getParent()),
        "KUBERC",
        "off");
  }
}

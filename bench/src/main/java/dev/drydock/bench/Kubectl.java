package dev.drydock.bench;

import dev.drydock.testbed.CommandResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The real kubectl. In a self-check it also plays the other part, under that part's name. */
record Kubectl(String name, Path program) implements Peer {
  @Override
  public List<String> drain(List<String> nodes) {
    List<String> command = new ArrayList<>(List.of(program.toString(), "drain"));
    command.addAll(nodes);
    command.add("--ignore-daemonsets");
    return command;
  }

  @Override
  public String version() {
    return CommandResult.run(
            List.of(program.toString(), "version", "--client"), Map.of("KUBERC", "off"), "")
        .output()
        .lines()
        .findFirst()
        .orElse("unknown");
  }

  @Override
  public void collectGarbage(long pid) {
    // a Go program cannot be asked from outside
  }
}

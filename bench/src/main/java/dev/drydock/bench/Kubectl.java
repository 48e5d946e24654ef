package dev.drydock.bench;

import dev.drydock.testbed.CommandResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The real kubectl. In a self-check it also plays the other part, under that part's name. */
record Kubectl(String name, Path program) implements Peer {
  private static final int AT_ONCE = 20;

  @Override
  public List<String> drain(List<String> nodes) {
    List<String> command = new ArrayList<>(List.of(program.toString(), "drain"));
    command.addAll(nodes);
    command.add("--ignore-daemonsets");
    return command;
  }

  /** The same writes by several processes: a single one is limited to 5 requests per second. */
  @Override
  public List<List<List<String>>> schedule(Maintenances maintenances) {
    int share = Math.ceilDiv(maintenances.names().size(), AT_ONCE);
    return Patch.TO_SCHEDULED.stream()
        .map(
            patch ->
                IntStream.range(0, Math.ceilDiv(maintenances.names().size(), share))
                    .mapToObj(i -> patch(maintenances.part(i * share, share), patch))
                    .toList())
        .toList();
  }

  private List<String> patch(Maintenances maintenances, Patch patch) {
    List<String> command = new ArrayList<>(List.of(program.toString(), "patch"));
    command.addAll(List.of("notifymaintenance", "-n", maintenances.namespace()));
    command.addAll(maintenances.names());
    command.addAll(List.of("--type=merge", "-p", patch.body()));
    if (!patch.subresource().isEmpty()) {
      command.add("--subresource=" + patch.subresource());
    }
    return command;
  }

  @Override
  public boolean serves() {
    return false;
  }

  @Override
  public List<String> operator(String namespace) {
    throw new BenchFailure("kubectl serves no DrainRequests: it has no part in such a benchmark");
  }

  @Override
  public List<String> agent(AgentNode agentNode) {
    throw new BenchFailure(
        "kubectl serves no LifecycleEvents, so it cannot take part in this benchmark");
  }

  @Override
  public List<String> edgeAgent(String node, Path folder) {
    throw new BenchFailure("kubectl has no agent, so it cannot take part in this benchmark");
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
    // a garbage collection cannot be triggered from outside a Go program
  }
}

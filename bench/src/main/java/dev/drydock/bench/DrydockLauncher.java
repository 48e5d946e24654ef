package dev.drydock.bench;

import dev.drydock.testbed.CommandResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Drydock by its launcher, so that a run includes everything a user waits for. */
record DrydockLauncher(Path launcher) implements Peer {
  @Override
  public String name() {
    return Contestant.DRYDOCK;
  }

  @Override
  public List<String> drain(List<String> nodes) {
    List<String> command = new ArrayList<>(List.of(launcher.toString(), "drain"));
    command.addAll(nodes);
    command.add("--ignore-daemonsets");
    if (nodes.size() > 1) {
      command.addAll(List.of("--parallel", Integer.toString(nodes.size())));
    }
    return command;
  }

  @Override
  public List<List<List<String>>> schedule(Maintenances maintenances) {
    return List.of(List.of(operator(maintenances.namespace())));
  }

  @Override
  public List<String> operator(String namespace) {
    return List.of(
        launcher.toString(),
        "operator",
        "--namespace=" + namespace,
        "--leader-elect=false",
        "--webhook-enabled=false",
        "--metrics-tls=false",
        "--metrics-port=0",
        "--health-bind-address=127.0.0.1:0");
  }

  @Override
  public boolean serves() {
    return true;
  }

  @Override
  public List<String> agent(AgentNode agentNode) {
    return List.of(
        launcher.toString(),
        "agent",
        "--node-name=" + agentNode.node(),
        "--namespace=" + agentNode.namespace(),
        "--datadir=" + agentNode.plugins(),
        "--plugin-registration-path=" + agentNode.registrations(),
        "--claimer=" + (agentNode.claims() ? "auto" : "never"),
        "--metrics-bind-address=0");
  }

  @Override
  public List<String> edgeAgent(String node, Path folder) {
    return List.of(
        launcher.toString(),
        "agent",
        "--parts=edge",
        "--node-name=" + node,
        "--edge-run-root=" + folder.resolve("run"),
        "--edge-persist-root=" + folder.resolve("persist"),
        "--edge-tmp-root=" + folder.resolve("tmp"),
        "--metrics-bind-address=0");
  }

  @Override
  public String version() {
    return CommandResult.run(List.of(launcher.toString(), "version"), Map.of(), "").output();
  }

  @Override
  public void collectGarbage(long pid) {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    var _ =
        CommandResult.run(List.of(jcmd.toString(), Long.toString(pid), "GC.run"), Map.of(), "")
            .output();
  }
}

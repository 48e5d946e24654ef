package dev.drydock.lifecycle.command;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.KubeOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock agent}: what serves one node, on it or beside it. */
@Command(
    name = "agent",
    addMethodSubcommands = false,
    description = {
      "Serve the LifecycleEvents of one node until stopped.",
      "Drains and uncordons it, and claims its events unless its kubelet does.",
      "Only the agent that holds the Lease drydock-claimer-NODE claims events.",
      "Needs the CRDs: drydock lifecycle crds | kubectl apply -f -"
    })
public final class AgentCommand implements DrydockCommand {
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private AgentOptions options = new AgentOptions();

  @Override
  public Integer call() {
    return new AgentProcess(kube, options, System.getenv()).run();
  }
}

package dev.drydock.drain.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.YesNoQuestion;
import dev.drydock.contracts.NameLists;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code drydock uncordon}: releases the user's own hold; the last release makes the node
 * schedulable.
 */
@Command(
    name = "uncordon",
    addMethodSubcommands = false,
    description = {
      "Release your hold on nodes.",
      "A node becomes schedulable when its last hold is released.",
      "--force releases all holds, as kubectl uncordon would. For a node whose maintenance ended"
          + " without a passed validation it asks first; without a terminal, it needs --yes as well.",
      "The exit code is 0 if all nodes are schedulable, and 1 if one stays cordoned or could not be released."
    })
public final class UncordonCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private HolderOptions holder = new HolderOptions();

  @Option(names = "--force", description = "Release all holds, including those of others.")
  private boolean force;

  @Option(
      names = "--yes",
      description =
          "Do not ask, even if the maintenance of a node ended without a passed validation.")
  private boolean yes;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    boolean held = false;
    List<String> failed = new ArrayList<>();
    List<String> names;
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client());
        DrainEngine engine = new DrainEngine(cluster)) {
      UnfitNodes unfit = new UnfitNodes(cluster.http(), terminal.err(), new YesNoQuestion());
      names = nodes.resolve(cluster.http());
      var _ = new ExistenceCheck(cluster.http()).requireNodes(names);
      for (String node : names) {
        try {
          held |= release(terminal, unfit, engine.holds(), node);
        } catch (CommandFailure | ExpectedFailure failure) {
          // One node that cannot be released keeps no other node out of service.
          if (names.size() == 1) {
            throw failure;
          }
          failed.add(node);
          terminal.err().printf("node/%s not released: %s%n", node, EngineErrors.line(failure));
        }
      }
    }
    if (held) {
      terminal
          .err()
          .println("Some nodes stay cordoned: see 'drydock holds'; --force releases them all.");
    }
    if (!failed.isEmpty()) {
      throw new CommandFailure(
          "%d of %d nodes not released: %s; next: fix what is listed above, then uncordon them again"
              .formatted(failed.size(), names.size(), String.join(" ", failed)));
    }
    return held ? ExitCode.FAILED : ExitCode.OK;
  }

  /**
   * Whether the node stays cordoned. It is read just before the question, because its holds may
   * have changed while another node was asked about.
   */
  private boolean release(Terminal terminal, UnfitNodes unfit, NodeHolds holds, String node) {
    Holds before = holds.read(node);
    if (force && !yes) {
      unfit.ask(node, before);
    }
    Holds after = force ? holds.releaseEverything(node) : holds.release(node, holder.holder());
    terminal.out().printf("node/%s %s%n", node, verdict(before.unschedulable(), after));
    if (after.unschedulable()) {
      deletions(after).forEach(command -> terminal.err().println("to release it, run: " + command));
    }
    return after.unschedulable();
  }

  /** Of a node that only DrainRequests hold: how to end them. */
  private static List<String> deletions(Holds held) {
    List<String> commands = new ArrayList<>();
    for (String holder : held.byHolder().keySet()) {
      String[] parts = holder.split("/", -1);
      if (parts.length != 3 || !parts[0].equals("drainrequest")) {
        return List.of();
      }
      commands.add("kubectl delete drainrequest -n %s %s".formatted(parts[1], parts[2]));
    }
    return commands;
  }

  private static String verdict(boolean cordoned, Holds after) {
    if (!after.unschedulable()) {
      return cordoned ? "uncordoned" : "already uncordoned";
    }
    return after.byHolder().isEmpty()
        ? "still cordoned, but not by Drydock"
        : "still held by " + NameLists.some(after.byHolder().keySet());
  }
}

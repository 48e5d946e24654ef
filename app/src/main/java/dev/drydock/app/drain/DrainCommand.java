package dev.drydock.app.drain;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.decide.DrainPolicy;
import dev.drydock.drain.decide.EvictionAnswer;
import dev.drydock.drain.decide.Hold;
import dev.drydock.drain.kube.DrainOutcome;
import dev.drydock.drain.kube.DrainTask;
import dev.drydock.drain.kube.Drains;
import java.time.Clock;
import java.util.List;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock drain}: empties nodes, many at once, and says all the time what it waits for. */
@Command(
    name = "drain",
    addMethodSubcommands = false,
    description = {
      "Empty nodes: cordon them, then evict their pods, keeping disruption budgets.",
      "The flags of kubectl drain mean the same here. Many nodes are drained at the same time.",
      "The nodes stay cordoned, held by you, until 'drydock uncordon'. Interrupted, the same command goes on."
    })
public final class DrainCommand implements DrydockCommand {
  enum DryRun {
    none,
    client,
    server
  }

  enum Format {
    json
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private PolicyOptions policyOptions = new PolicyOptions();
  @Mixin private HolderOptions holder = new HolderOptions();

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many nodes at a time. Default: all.")
  private int parallel;

  @Option(
      names = "--dry-run",
      paramLabel = "none|client|server",
      arity = "0..1",
      fallbackValue = "client",
      defaultValue = "none",
      description =
          "client: only say what would be evicted. server: have the server say what it would answer.")
  private DryRun dryRun = DryRun.none;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}: a JSON object per line for everything that happens.")
  private @Nullable Format format;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    DrainPolicy policy = policyOptions.policy();
    if (parallel < 0) {
      throw CommandFailure.usage("--parallel " + parallel + ": use 1 or more, or 0 for all");
    }
    try (KubeConnection connection = kube.connect();
        Drains drains = new Drains(connection.client())) {
      List<String> names = nodes.resolve(drains);
      var _ =
          drains.holds().read(names.getFirst()); // a server that does not answer is told at once
      if (dryRun != DryRun.none) {
        return rehearse(terminal, drains, names, policy);
      }
      return drain(terminal, drains, names, policy);
    }
  }

  private int drain(Terminal terminal, Drains drains, List<String> names, DrainPolicy policy) {
    long failed =
        outcomes(terminal, drains, names, policy).stream()
            .filter(outcome -> outcome.end() != DrainOutcome.End.DONE)
            .count();
    if (failed > 0) {
      throw new CommandFailure(
          "%d of %d nodes not drained; what was cordoned stays so".formatted(failed, names.size()));
    }
    return ExitCode.OK;
  }

  private List<DrainOutcome> outcomes(
      Terminal terminal, Drains drains, List<String> names, DrainPolicy policy) {
    int atOnce = parallel == 0 ? names.size() : Math.min(parallel, names.size());
    try (DrainView view = view(terminal);
        Interruption interruption = new Interruption(terminal, holder)) {
      if (atOnce < names.size()) {
        cordonAll(drains, names);
        names.forEach(interruption::begun);
      }
      return names.stream()
          .gather(
              Gatherers.mapConcurrent(
                  atOnce, node -> drainOne(drains, node, policy, view, interruption)))
          .toList();
    }
  }

  /** None of the pods may move to a node whose turn comes later. */
  private void cordonAll(Drains drains, List<String> names) {
    Hold hold =
        Hold.of(holder.holder(), holder.reason("drained by hand"), Clock.systemUTC().instant());
    names.forEach(node -> drains.holds().place(node, hold));
  }

  private DrainOutcome drainOne(
      Drains drains, String node, DrainPolicy policy, DrainView view, Interruption interruption) {
    DrainTask task = DrainTask.of(node, holder.holder(), holder.reason("drained by hand"), policy);
    interruption.begun(node);
    DrainOutcome outcome = drains.start(task, view.listener(node)).outcome().join();
    interruption.ended(node);
    view.ended(outcome);
    return outcome;
  }

  private DrainView view(Terminal terminal) {
    if (format == Format.json) {
      return new JsonDrainView(terminal, Clock.systemUTC());
    }
    return terminal.liveOut() ? new LiveDrainView(terminal) : new PlainDrainView(terminal);
  }

  private int rehearse(Terminal terminal, Drains drains, List<String> names, DrainPolicy policy) {
    boolean possible = true;
    for (String node : names) {
      var plan = drains.plans().plan(node, policy);
      terminal.out().printf("node/%s cordoned (%s dry run)%n", node, dryRun);
      plan.warnings().forEach(warning -> terminal.err().println("Warning: " + warning));
      boolean refused = plan.pods().stream().anyMatch(pod -> pod.verdict().isRefused());
      if (refused) {
        possible = false;
        plan.impossible().forEach(blocker -> terminal.err().println("error: " + blocker.line()));
        continue;
      }
      if (dryRun == DryRun.server) {
        drains
            .plans()
            .rehearse(node, policy)
            .forEach(
                (pod, answer) ->
                    terminal
                        .out()
                        .printf("evicting pod %s (server dry run): %s%n", pod, words(answer)));
      } else {
        plan.pods().stream()
            .filter(pod -> pod.verdict().goes())
            .forEach(pod -> terminal.out().printf("evicting pod %s (client dry run)%n", pod.pod()));
      }
      terminal.out().printf("node/%s drained (%s dry run)%n", node, dryRun);
    }
    terminal.out().flush();
    terminal.err().flush();
    return possible ? ExitCode.OK : ExitCode.FAILED;
  }

  private static String words(EvictionAnswer answer) {
    return switch (answer) {
      case EvictionAnswer.Accepted _ -> "would be evicted";
      case EvictionAnswer.Gone _ -> "already gone";
      case EvictionAnswer.Refusal refusal -> refusal.message();
    };
  }
}

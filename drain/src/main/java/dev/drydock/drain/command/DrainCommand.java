package dev.drydock.drain.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.InterruptMessage;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OptionalValue;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainTask;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.DryRunOption;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import dev.drydock.serve.command.OperatorNamespaceOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock drain}: drains nodes, many at once, and always shows what it waits for. */
@Command(
    name = "drain",
    addMethodSubcommands = false,
    description = {
      "Cordon nodes and evict their pods, within disruption budgets.",
      "The flags of kubectl drain have the same meaning. Several nodes are drained concurrently.",
      "The nodes stay cordoned, held by you, until 'drydock uncordon'. After an interruption, the same command continues."
    })
public final class DrainCommand implements DrydockCommand {
  private static final Clock CLOCK = Clock.systemUTC();

  enum Format {
    json
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private PolicyOptions policyOptions = new PolicyOptions();
  @Mixin private ListOption lists = new ListOption();
  @Mixin private HolderOptions holder = new HolderOptions();
  @Mixin private OperatorNamespaceOption cord = new OperatorNamespaceOption();

  @Option(names = "--ignore-stop", description = "Start even if 'drydock stop' was run.")
  private boolean ignoreStop;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of nodes at a time; 0 for all at once. Default: 0.")
  private int parallel;

  @Option(
      names = "--dry-run",
      paramLabel = "none|client|server",
      arity = "0..1",
      fallbackValue = "client",
      preprocessor = OptionalValue.class,
      description =
          "Change nothing. client: show what would be evicted. server: also send dry-run requests to the server.")
  private DryRunOption dryRun = DryRunOption.none;

  @Option(
      names = "--server-side",
      description = {
        "Let the cluster's operator drain: create a DrainRequest per node in --namespace and follow it.",
        "The nodes stay cordoned until their DrainRequests are deleted."
      })
  private boolean serverSide;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}: print one JSON object per line for each event.")
  private @Nullable Format format;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    DrainPolicy policy = policyOptions.policy();
    lists.check();
    if (parallel < 0) {
      throw CommandFailure.usage("--parallel " + parallel + ": use 1 or more, or 0 for all");
    }
    if (serverSide && dryRun != DryRunOption.none) {
      throw CommandFailure.usage("give --server-side or --dry-run, not both");
    }
    try (KubeConnection connection = kube.connect();
        Kube cluster = lists.open(connection.client());
        DrainEngine engine = new DrainEngine(cluster)) {
      List<String> names = nodes.resolve(cluster.http());
      ExistenceCheck existence = new ExistenceCheck(cluster.http());
      if (serverSide) {
        existence.requireReadableNodes(names);
        look(cluster).require(terminal);
        return new ServerSideDrain(terminal, cluster, connection.client().getNamespace(), holder)
            .of(names, policyOptions.forRequest(), atOnce(names.size()), view(terminal));
      }
      if (dryRun != DryRunOption.none) {
        DryRun trial = new DryRun(terminal, engine, dryRun);
        return existence.reading(names, () -> trial.of(names, policy));
      }
      CordCheck check = look(cluster);
      // A node that does not exist or cannot be read ends the command before anything is changed.
      Map<String, Holds> before = existence.reading(names, () -> engine.preflight(names));
      check.require(terminal);
      return drain(terminal, engine, before);
    }
  }

  private CordCheck look(Kube cluster) {
    return ignoreStop ? CordCheck.NONE : CordCheck.begin(new AndonCord(cluster, cord.namespace()));
  }

  private int drain(Terminal terminal, DrainEngine engine, Map<String, Holds> before) {
    List<DrainOutcome> outcomes = outcomes(terminal, engine, before);
    List<String> drained = names(outcomes, outcome -> outcome.end() == DrainOutcome.End.DONE);
    if (format == null && !drained.isEmpty()) {
      terminal
          .err()
          .printf(
              "Held by %s until you run: drydock uncordon %s%s%n",
              holder.holder(),
              drained.size() == outcomes.size() ? nodes.words() : String.join(" ", drained),
              holder.flag());
    }
    return exitCode(outcomes);
  }

  static int exitCode(List<DrainOutcome> outcomes) {
    List<String> failed = names(outcomes, outcome -> outcome.end() != DrainOutcome.End.DONE);
    if (failed.isEmpty()) {
      return ExitCode.OK;
    }
    if (outcomes.size() == 1) {
      return ExitCode.FAILED; // its own line says everything
    }
    throw new CommandFailure(
        "%d of %d nodes not drained: %s; next: fix what is listed above, then drain them again"
            .formatted(failed.size(), outcomes.size(), String.join(" ", failed)));
  }

  private static List<String> names(List<DrainOutcome> outcomes, Predicate<DrainOutcome> those) {
    return outcomes.stream().filter(those).map(DrainOutcome::node).toList();
  }

  private List<DrainOutcome> outcomes(
      Terminal terminal, DrainEngine engine, Map<String, Holds> before) {
    int atOnce = atOnce(before.size());
    try (DrainView view = view(terminal);
        InterruptMessage interruption = new InterruptMessage(terminal, this::interrupted)) {
      if (atOnce < before.size()) {
        cordonAll(engine, before.keySet());
        before.keySet().forEach(interruption::begun);
      }
      return before.entrySet().stream()
          .gather(
              Gatherers.mapConcurrent(
                  atOnce,
                  node -> {
                    interruption.begun(node.getKey());
                    DrainOutcome outcome = drainOne(engine, node.getKey(), node.getValue(), view);
                    interruption.ended(node.getKey());
                    return outcome;
                  }))
          .toList();
    }
  }

  private int atOnce(int nodeCount) {
    return parallel == 0 ? nodeCount : Math.min(parallel, nodeCount);
  }

  private List<String> interrupted(Collection<String> unfinished) {
    String all = String.join(" ", unfinished);
    return List.of(
        "Interrupted: %s stay%s cordoned, held by %s."
            .formatted(all, unfinished.size() == 1 ? "s" : "", holder.holder()),
        "Continue with the same command, or back out with: drydock uncordon "
            + all
            + holder.flag());
  }

  /** All nodes are cordoned first, so that no pod moves to a node that is drained later. */
  private void cordonAll(DrainEngine engine, Collection<String> names) {
    Hold hold = Hold.of(holder.holder(), holder.reason("drained by hand"), CLOCK.instant());
    names.forEach(node -> engine.holds().place(node, hold));
  }

  private DrainOutcome drainOne(DrainEngine engine, String node, Holds before, DrainView view) {
    Instant start = CLOCK.instant();
    DrainTask task =
        DrainTask.of(
            node,
            holder.holder(),
            holder.reason("drained by hand"),
            policyOptions.policy(heldFor(before, start)));
    TerminatingPods terminating = new TerminatingPods(view.listener(node, before.unschedulable()));
    DrainOutcome end = engine.start(task, terminating).outcome().join();
    DrainOutcome outcome =
        new DrainOutcome(
            node, end.end(), end.message(), end.last(), Duration.between(start, CLOCK.instant()));
    view.ended(outcome, DrainFailure.line(outcome, terminating.stillThere()));
    return outcome;
  }

  /** A hold on a node that was uncordoned since then is void. */
  private Duration heldFor(Holds before, Instant now) {
    return Optional.ofNullable(before.byHolder().get(holder.holder()))
        .filter(own -> before.unschedulable() && own.since().isBefore(now))
        .map(own -> Duration.between(own.since(), now))
        .orElse(Duration.ZERO);
  }

  private DrainView view(Terminal terminal) {
    if (format == Format.json) {
      return new JsonDrainView(terminal, CLOCK);
    }
    return terminal.liveOut() ? new LiveDrainView(terminal) : new PlainDrainView(terminal);
  }
}

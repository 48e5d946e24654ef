package dev.drydock.drain.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.Kube;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock cordon}: places a named hold with a reason on nodes. */
@Command(
    name = "cordon",
    addMethodSubcommands = false,
    description = {
      "Keep nodes out of service, with a named hold and a reason.",
      "The node stays cordoned until every holder has released it, or someone runs kubectl uncordon."
    })
public final class CordonCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private HolderOptions holder = new HolderOptions();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description =
          "Release the hold after this time, e.g. 2h; 'drydock operator' does so. Default: never.")
  private @Nullable Duration time;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    if (time != null && time.isZero()) {
      throw CommandFailure.usage("--for 0s: use a longer time, or leave the flag out");
    }
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client());
        DrainEngine engine = new DrainEngine(cluster)) {
      Instant now = Clock.systemUTC().instant();
      Hold unending = Hold.of(holder.holder(), holder.reason("cordoned by hand"), now);
      Hold hold = time == null ? unending : unending.until(now.plus(time));
      List<String> names = nodes.resolve(cluster.http());
      Map<String, Holds> found =
          new ExistenceCheck(cluster.http()).reading(names, () -> engine.holds().read(names));
      for (Map.Entry<String, Holds> each : found.entrySet()) {
        String node = each.getKey();
        Holds after = engine.holds().place(node, hold);
        terminal
            .out()
            .printf(
                "node/%s %s%n",
                node,
                (each.getValue().heldBy(hold.holder())
                        ? "already held by " + hold.holder()
                        : "cordoned" + others(after))
                    + end(hold));
      }
    }
    return ExitCode.OK;
  }

  private static String end(Hold hold) {
    return hold.until().map(end -> " until " + end.truncatedTo(ChronoUnit.SECONDS)).orElse("");
  }

  private String others(Holds holds) {
    int more = holds.byHolder().size() - 1;
    return more == 0 ? "" : " (" + more + " more hold" + (more == 1 ? "" : "s") + " on it)";
  }
}

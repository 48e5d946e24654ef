package dev.drydock.app.drain;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.decide.Hold;
import dev.drydock.drain.decide.Holds;
import dev.drydock.drain.kube.Drains;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock cordon}: keeps nodes out of service, with a name and a reason. */
@Command(
    name = "cordon",
    addMethodSubcommands = false,
    description = {
      "Keep nodes out of service, saying who does and why.",
      "The node stays cordoned until every holder has released it, or somebody runs kubectl uncordon."
    })
public final class CordonCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private HolderOptions holder = new HolderOptions();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect();
        Drains drains = new Drains(connection.client())) {
      Instant now = Clock.systemUTC().instant();
      Hold hold = Hold.of(holder.holder(), holder.reason("cordoned by hand"), now);
      for (String node : nodes.resolve(drains)) {
        Holds before = drains.holds().read(node);
        Holds after = drains.holds().place(node, hold);
        terminal
            .out()
            .printf(
                "node/%s %s%n",
                node,
                before.heldBy(hold.holder())
                    ? "already held by " + hold.holder()
                    : "cordoned" + others(after));
      }
      terminal.out().flush();
    }
    return ExitCode.OK;
  }

  private String others(Holds holds) {
    int more = holds.byHolder().size() - 1;
    return more == 0 ? "" : " (" + more + " more hold" + (more == 1 ? "" : "s") + " on it)";
  }
}

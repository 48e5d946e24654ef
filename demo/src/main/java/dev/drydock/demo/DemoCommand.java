package dev.drydock.demo;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.Terminal;
import dev.drydock.sim.DemoCluster;
import java.io.Console;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock demo}: shows the product on a small cluster, step by step. */
@Command(
    name = "demo",
    addMethodSubcommands = false,
    description = {
      "Show Drydock at work on a small simulated cluster.",
      "The cluster runs in this process; nothing else is needed.",
      "On a terminal it waits for Enter between steps. Every statement is checked against the cluster; the demo fails if a check fails.",
      "Its commands run as you would run them; any kubectl can use the KUBECONFIG it prints."
    })
public final class DemoCommand implements DrydockCommand {
  /**
   * Ends only a hopeless wait: what the demo waits for is said after seconds, and machines may be
   * busy.
   */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--headless", description = "Do not wait for input, and print plain lines.")
  private boolean headless;

  @Option(
      names = "--pace",
      paramLabel = "TIME",
      description =
          "Continue automatically after this time, e.g. 2s, instead of waiting for Enter.")
  private @Nullable Duration pace;

  @Option(
      names = "--keep",
      description = "Keep the cluster running at the end, until q Enter or Ctrl-C.")
  private boolean keep;

  @Option(
      names = "--real",
      description = {
        "Run the demo on a real Kubernetes control plane, started on this machine.",
        "The first time, its programs are built with Go, which takes minutes."
      })
  private boolean real;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    if (headless && pace != null) {
      throw CommandFailure.usage("--headless and --pace exclude each other");
    }
    boolean watched = !headless && terminal.liveOut() && somebodyTypes();
    return new Demo(terminal, new Demo.Mode(watched, pace, keep, TIMEOUT)).on(starter());
  }

  private static boolean somebodyTypes() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  private DemoCluster.Starter starter() {
    if (!real) {
      return SimulatedDemoCluster::start;
    }
    return ServiceLoader.load(DemoCluster.Starter.class)
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    "--real: this drydock does not include the test cluster; run ./drydock in a source tree"));
  }
}

package dev.drydock.simulate;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.command.PolicyOptions;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.FleetMistakes;
import dev.drydock.simulate.fleet.FleetReader;
import dev.drydock.simulate.fleet.FleetWarnings;
import dev.drydock.simulate.fleet.NodeSelection;
import dev.drydock.simulate.fleet.Scenario;
import dev.drydock.simulate.fleet.ScenarioStep;
import dev.drydock.simulate.fleet.ScenarioStep.What;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock simulate}: shows what a scenario would do to a fleet. */
@Command(
    name = "simulate",
    addMethodSubcommands = false,
    description = {
      "Simulate what would happen to a fleet.",
      "Shows a timeline, budgets, outages, and what gets stuck and why.",
      "FILE is a fleet file, written by hand or by 'drydock export'. No cluster is contacted; the same seed gives the same answer.",
      "Exit code 3 if something gets stuck."
    },
    footer = {
      "",
      "Try it:  drydock simulate samples/small-fleet.yaml",
      "Samples are in samples/; docs/simulate.md describes the file and what is modelled."
    })
public final class SimulateCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private PolicyOptions policyOptions = new PolicyOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(paramLabel = "FILE", description = "The fleet, YAML or JSON; - reads standard input.")
  private @Nullable Path file;

  @Option(
      names = {"-s", "--scenario"},
      paramLabel = "FILE",
      description =
          "A scenario file that replaces the scenario in the fleet file; - reads standard input.")
  private @Nullable Path scenarioFile;

  @Option(
      names = "--drain",
      paramLabel = "SELECTOR",
      description =
          "Also drain the nodes with these labels at the start, e.g. node=cpu-1, rack=r7 or pool=gpu. The flags of 'drydock drain' apply.")
  private @Nullable String drain;

  @Option(
      names = "--roll-out",
      paramLabel = "SELECTOR",
      description = "Also drain, reboot and uncordon the nodes with these labels; see --parallel.")
  private @Nullable String rollOut;

  @Option(
      names = "--fail",
      paramLabel = "SELECTOR",
      description = "Also make the nodes with these labels stop responding, with all their pods.")
  private @Nullable String fail;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "The number of nodes at a time; 0 for all at once. Default: 0, or 1 with --roll-out.")
  private @Nullable Integer parallel;

  @Option(
      names = "--reboot-takes",
      paramLabel = "TIME",
      defaultValue = "3m",
      description = "How long a node of --roll-out is down. Default: 3m.")
  private Duration rebootTakes = Duration.ofMinutes(3);

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "Stop the simulation at this time. Default: when nothing more happens, at most a day.")
  private @Nullable Duration until;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "The seed for times drawn from ranges; 0 or more. Default: the seed in the file, else 1.")
  private @Nullable Long seed;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    refuseWrongFlags();
    refuseIgnoredFlags();
    Fleet fleet = question(terminal);
    FleetWarnings.of(fleet).forEach(line -> terminal.err().println("Warning: " + line));
    SimulationReport report = simulate(terminal, fleet);
    output.print(terminal, report, wide -> SimulationText.print(terminal, report, wide));
    return report.stuck().isEmpty() ? ExitCode.OK : ExitCode.IMPOSSIBLE;
  }

  private void refuseWrongFlags() {
    if (parallel != null && parallel < 0) {
      throw CommandFailure.usage("--parallel " + parallel + ": use 1 or more, or 0 for all");
    }
    if (seed != null && seed < 0) {
      throw CommandFailure.usage("--seed " + seed + ": use 0 or more");
    }
    if (scenarioFile != null
        && FleetReader.isStandardInput(scenarioFile)
        && FleetReader.isStandardInput(requireNonNull(file))) {
      throw CommandFailure.usage("standard input is the fleet or the scenario, not both");
    }
  }

  private int parallel(int otherwise) {
    return parallel == null ? otherwise : parallel;
  }

  /** Steps in a file have their own options, and --fail drains nothing. */
  private void refuseIgnoredFlags() {
    CommandSpec command = requireNonNull(spec);
    List<OptionSpec> ofDrains =
        new ArrayList<>(requireNonNull(command.mixins().get("policyOptions")).options());
    ofDrains.add(command.findOption("--parallel"));
    for (OptionSpec given : command.commandLine().getParseResult().matchedOptions()) {
      if (ofDrains.contains(given) && drain == null && rollOut == null) {
        throw CommandFailure.usage(
            given.longestName()
                + " applies to --drain and --roll-out only; steps in a file have their own options, such as ignoreDaemonSets: true");
      }
      if (given.longestName().equals("--reboot-takes") && rollOut == null) {
        throw CommandFailure.usage(
            "--reboot-takes applies to --roll-out only; a step in a file sets rebootTakes: 4m");
      }
    }
  }

  private static SimulationReport simulate(Terminal terminal, Fleet fleet) {
    try (ProgressDisplay display = new ProgressDisplay(terminal, Clock.systemUTC())) {
      Simulation.Progress progress =
          new Simulation.Progress() {
            @Override
            public void step(String what) {
              display.step(what);
            }

            @Override
            public void detail(String what) {
              if (terminal.liveErr()) { // in a log there would be a line per simulated minute
                display.detail(what);
              }
            }
          };
      return Simulation.run(fleet, progress);
    } catch (OutOfMemoryError full) {
      throw new CommandFailure(
          "not enough memory for a fleet of this size; next: try again with more, e.g. DRYDOCK_HEAP=6g",
          full);
    }
  }

  /** The fleet with the steps of all flags. */
  private Fleet question(Terminal terminal) {
    try {
      Fleet fleet = FleetReader.read(requireNonNull(file));
      if (seed != null) {
        fleet = fleet.withSeed(seed);
      }
      return fleet.with(scenario(fleet));
    } catch (FleetMistakes mistakes) {
      if (mistakes.lines().size() > 1) {
        mistakes.lines().forEach(line -> terminal.err().println(mistakes.file() + ": " + line));
        throw CommandFailure.usage(
            mistakes.file() + ": " + mistakes.lines().size() + " mistakes, see above");
      }
      throw CommandFailure.usage(String.valueOf(mistakes.getMessage()));
    }
  }

  private Scenario scenario(Fleet fleet) {
    Scenario given =
        scenarioFile == null ? fleet.scenario() : FleetReader.readScenario(scenarioFile, fleet);
    List<ScenarioStep> steps = new ArrayList<>(given.steps());
    if (fail != null) {
      steps.add(step("--fail", fail, fleet, new What.Fail()));
    }
    if (drain != null) {
      steps.add(step("--drain", drain, fleet, new What.Drain(policyOptions.policy(), parallel(0))));
    }
    if (rollOut != null) {
      What what = new What.RollOut(policyOptions.policy(), parallel(1), rebootTakes);
      steps.add(step("--roll-out", rollOut, fleet, what));
    }
    if (steps.isEmpty()) {
      throw CommandFailure.usage(
          "nothing happens: the file has no scenario; give one with --scenario, --drain, --roll-out or --fail");
    }
    Optional<Duration> end = until == null ? given.until() : Optional.of(until);
    return new Scenario(steps, end);
  }

  private static ScenarioStep step(String flag, String selector, Fleet fleet, What what) {
    NodeSelection nodes;
    try {
      nodes = NodeSelection.labelled(LabelSelector.parse(selector));
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(flag + ": " + wrong.getMessage());
    }
    if (nodes.of(fleet).isEmpty()) {
      throw CommandFailure.usage(
          flag + " " + selector + ": no node of the fleet has these labels" + nodes.hint(fleet));
    }
    return new ScenarioStep(Duration.ZERO, nodes, what);
  }
}

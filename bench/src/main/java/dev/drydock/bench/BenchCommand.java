package dev.drydock.bench;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock bench}: compares drains with the real kubectl, on its own test cluster. */
@Command(
    name = "bench",
    description = {
      "Measure drains side by side with the real kubectl.",
      "Starts its own test cluster. Takes about an hour. Exit code 1 if a required figure is missed."
    })
public final class BenchCommand implements DrydockCommand {
  static final String LAUNCHER_VARIABLE = "DRYDOCK_LAUNCHER";

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "The benchmarks to run; see --list. Default: all.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "The number of rounds. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--output-file",
      paramLabel = "FILE",
      description = "Also write all measurements to this file, as JSON.")
  private @Nullable Path outputFile;

  @Option(names = "--list", description = "List the benchmarks and their required figures.")
  private boolean list;

  @Option(
      names = "--quick",
      description =
          "Small sizes and one round, to check that everything runs. Results are not judged.")
  private boolean quick;

  @Option(
      names = "--self-check",
      description = {
        "Compare kubectl with itself where possible: all ratios should be about 1.",
        "Results are not judged."
      })
  private boolean selfCheck;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    List<Benchmark> benchmarks = chosen();
    if (list) {
      Table table = new Table("NAME", "REQUIRED", "MEASURES");
      benchmarks.forEach(
          benchmark -> table.row(benchmark.name(), required(benchmark), benchmark.title()));
      table.print(terminal);
      return ExitCode.OK;
    }
    if (rounds < 1) {
      throw CommandFailure.usage("--rounds " + rounds + ": use 1 or more");
    }
    if (outputFile != null && !Files.isWritable(outputFile.toAbsolutePath().getParent())) {
      throw CommandFailure.usage( // checked before the measurement, not after it
          "--output-file %s: cannot write there; name a file in a folder that exists"
              .formatted(outputFile));
    }
    Report report = measure(terminal, benchmarks);
    report.print(terminal);
    write(report);
    if (report.failure() != null) {
      throw new CommandFailure(report.failure());
    }
    return report.missed() ? ExitCode.FAILED : ExitCode.OK;
  }

  private List<Benchmark> chosen() {
    List<Benchmark> all =
        (quick ? Catalogue.quick() : Catalogue.full())
            .stream().filter(benchmark -> !selfCheck || benchmark.selfChecks()).toList();
    List<String> known = all.stream().map(Benchmark::name).toList();
    names.stream()
        .filter(name -> !known.contains(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw CommandFailure.usage(
                  "no benchmark to run is called %s: use %s"
                      .formatted(name, String.join(", ", known)));
            });
    return names.isEmpty()
        ? all
        : all.stream().filter(benchmark -> names.contains(benchmark.name())).toList();
  }

  private static String required(Benchmark benchmark) {
    return String.join("; ", benchmark.goals().stream().map(goal -> goal.limit().text()).toList());
  }

  private Report measure(Terminal terminal, List<Benchmark> benchmarks) {
    Instant started = Clock.systemUTC().instant();
    try (ProgressDisplay display = new ProgressDisplay(terminal, Clock.systemUTC())) {
      display.step("Starting a control plane");
      try (BenchCluster cluster = BenchCluster.open(display::detail)) {
        Peer kubectl = new Kubectl(Contestant.KUBECTL, cluster.kubectl());
        Peer drydock = selfCheck ? new Kubectl(Contestant.DRYDOCK, cluster.kubectl()) : launcher();
        int count = quick ? 1 : rounds;
        BenchRun run = new BenchRun(cluster, contestants(kubectl, drydock), count, display);
        boolean judge = !quick && !selfCheck;
        BenchRun.Outcome outcome = run.all(benchmarks);
        return new Report(
            started,
            count,
            judge,
            Machine.facts(),
            versions(cluster, kubectl, drydock),
            Report.compare(benchmarks, outcome.results(), judge),
            outcome.results(),
            outcome.failure());
      } catch (BenchFailure | TestbedException e) {
        display.fail();
        throw new CommandFailure(String.valueOf(e.getMessage()), e);
      }
    }
  }

  private static List<Contestant> contestants(Peer kubectl, Peer drydock) {
    return List.of(
        Contestant.of(kubectl),
        new Contestant(Contestant.KUBECTL_PER_NODE, kubectl, true),
        new Contestant(Contestant.TICKS, drydock, false),
        new Contestant(Contestant.UNHINDERED, drydock, false),
        new Contestant(Contestant.INFORMERS, drydock, false),
        new Contestant(Contestant.ONE_BY_ONE, drydock, false),
        new Contestant(Contestant.GO_PLUGIN, drydock, false),
        Contestant.of(drydock));
  }

  private static Map<String, String> versions(BenchCluster cluster, Peer kubectl, Peer drydock) {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("kubernetes", cluster.version());
    versions.put(Contestant.KUBECTL, kubectl.version());
    versions.put(Contestant.DRYDOCK, drydock.version());
    return versions;
  }

  private static Peer launcher() {
    String launcher = System.getenv(LAUNCHER_VARIABLE);
    if (launcher == null) {
      throw new CommandFailure(
          "%s is not set: start the benchmarks by ./drydock bench".formatted(LAUNCHER_VARIABLE));
    }
    return new DrydockLauncher(Path.of(launcher));
  }

  private void write(Report report) {
    if (outputFile == null) {
      return;
    }
    try {
      report.write(outputFile);
    } catch (IOException e) {
      throw new CommandFailure("cannot write %s: %s".formatted(outputFile, e.getMessage()), e);
    }
  }
}

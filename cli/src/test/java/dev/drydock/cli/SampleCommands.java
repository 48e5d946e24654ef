package dev.drydock.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands of every shape that the kit supports. */
final class SampleCommands {
  private SampleCommands() {}

  enum Speed {
    slow,
    fast
  }

  /** Talks to no cluster. */
  @Command(name = "paint", description = "Paint the hull.")
  static final class Paint implements DrydockCommand {
    @Spec private @Nullable CommandSpec spec;

    @Option(names = "--colour", description = "Which colour.")
    private @Nullable String colour;

    @Option(names = "--speed", description = "How fast: ${COMPLETION-CANDIDATES}.")
    private @Nullable Speed speed;

    @Option(names = "--dry", description = "Do nothing.")
    private boolean dry;

    @Option(names = "--secret", hidden = true)
    private @Nullable String secret;

    @Option(names = "--coats", description = "How many.")
    private int coats;

    @Option(names = "--drying", description = "How long.")
    private @Nullable Duration drying;

    @Option(
        names = "--twice",
        arity = "0..1",
        fallbackValue = "true",
        preprocessor = OptionalValue.class,
        description = "Again.")
    private boolean twice;

    @Parameters(
        arity = "0..1",
        paramLabel = "SPEED",
        description = "One of: ${COMPLETION-CANDIDATES}.")
    private @Nullable Speed positional;

    @Override
    public Integer call() {
      Terminal terminal = Terminal.of(requireNonNull(spec));
      terminal
          .out()
          .println(
              Stream.of(colour, speed, dry, secret, twice, positional)
                  .map(String::valueOf)
                  .collect(Collectors.joining(" ", "painted ", "")));
      assertThat(coats).isZero();
      assertThat(drying).isNull();
      return ExitCode.OK;
    }
  }

  /** Talks to a cluster; prints which. */
  @Command(name = "float", description = "Float the ship.")
  static final class Launch implements DrydockCommand {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private KubeOptions kube = new KubeOptions();

    @Override
    public Integer call() {
      try (KubeConnection connection = kube.connect()) {
        Terminal.of(requireNonNull(spec))
            .out()
            .println(
                connection.server()
                    + " "
                    + connection.context().orElse("-")
                    + " "
                    + connection.client().getNamespace());
      }
      return ExitCode.OK;
    }
  }

  /** Takes node names. */
  @Command(name = "moor", description = "Moor the ship at nodes.")
  static final class Moor implements DrydockCommand {
    @Mixin private KubeOptions kube = new KubeOptions();

    @Parameters(
        arity = "0..*",
        paramLabel = "NODE",
        completionCandidates = NodeNameCandidates.class)
    private List<String> nodes = new ArrayList<>();

    @Option(names = "--beside", completionCandidates = NodeNameCandidates.class)
    @SuppressWarnings("UnusedVariable") // only used for completion
    private String beside = "";

    @Override
    public Integer call() {
      return kube.given().findAny().isEmpty() && nodes.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  /** Has subcommands. */
  @Command(
      name = "crew",
      description = "Look after the crew.",
      subcommands = {CrewList.class, CrewHire.class})
  static final class Crew implements DrydockCommand {
    @Override
    public Integer call() {
      return ExitCode.OK;
    }
  }

  @Command(name = "list", description = "Name them.")
  static final class CrewList implements DrydockCommand {
    @Override
    public Integer call() {
      return ExitCode.OK;
    }
  }

  @Command(name = "hire", description = "Hire some.")
  static final class CrewHire implements DrydockCommand {
    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Who.")
    private List<String> names = new ArrayList<>();

    @Override
    public Integer call() {
      return names.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
    }
  }

  /** Fails in the requested way. */
  @Command(name = "sink", description = "Fail.")
  static final class Sink implements DrydockCommand {
    private final Exception failure;

    Sink(Exception failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }

  @Command(name = "bilge", description = "Not for people.", hidden = true)
  static final class Bilge implements DrydockCommand {
    @Override
    public Integer call() {
      return ExitCode.OK;
    }
  }
}

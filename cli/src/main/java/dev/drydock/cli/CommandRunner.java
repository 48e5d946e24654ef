package dev.drydock.cli;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Runs a command line the way kubectl does: help at every level, results on standard output, and
 * for every failure one line that starts with {@code error:} and an exit code for its category.
 */
public final class CommandRunner {
  /** Environment variable: if set, errors are printed with their stack trace. */
  static final String DEBUG_VARIABLE = "DRYDOCK_DEBUG";

  /** Fits every terminal. */
  private static final int HELP_WIDTH = 80;

  private CommandRunner() {}

  /**
   * Builds {@code root} with {@code commands} below it, ready to {@link CommandLine#execute
   * execute} exactly these {@code arguments}: commands that the arguments cannot refer to are left
   * out.
   */
  public static CommandLine create(
      Object root, Iterable<DrydockCommand> commands, String... arguments) {
    CommandLine line = new CommandLine(root);
    line.getCommandSpec().addMixin("kube", CommandSpec.forAnnotatedObject(new KubeOptions()));
    for (Object command : needed(commands, arguments)) {
      line.addSubcommand(command);
    }
    prepare(line);
    return line.registerConverter(Duration.class, new DurationConverter())
        .setParameterExceptionHandler(CommandRunner::usageError)
        .setExecutionExceptionHandler(CommandRunner::failure)
        .setExecutionStrategy(CommandRunner::execute)
        .setHelpFactory(HelpLayout::new)
        .setUsageHelpWidth(HELP_WIDTH)
        .setExpandAtFiles(false)
        .setAbbreviatedOptionsAllowed(false);
  }

  /**
   * Scanning the class path for commands and setting them up by reflection is most of the run time
   * of a small command. If the first argument names a command, only that one is set up. (For the
   * same reason commands tell picocli not to look for subcommands among their methods.)
   */
  private static List<Object> needed(Iterable<DrydockCommand> commands, String[] arguments) {
    List<Object> all = new ArrayList<>();
    for (DrydockCommand command : commands) {
      if (arguments.length > 0 && arguments[0].equals(nameOf(command))) {
        return List.of(command);
      }
      all.add(command);
    }
    // sorted by name: the order on the class path is arbitrary
    all.sort(Comparator.comparing(CommandRunner::nameOf));
    all.add(new HelpCommand());
    all.add(new CompleteCommand());
    return all;
  }

  private static String nameOf(Object command) {
    Command annotation = command.getClass().getAnnotation(Command.class);
    return annotation == null ? "" : annotation.name();
  }

  private static void prepare(CommandLine line) {
    if (line.getCommandSpec().findOption("--help") == null) {
      line.getCommandSpec().addMixin("help", CommandSpec.forAnnotatedObject(new HelpOption()));
    }
    line.getSubcommands().values().forEach(CommandRunner::prepare);
  }

  private static int execute(ParseResult result) {
    refuseIgnoredFlags(result);
    CommandLine line = result.asCommandLineList().getLast();
    try {
      return new CommandLine.RunLast().execute(result);
    } finally {
      line.getOut().flush();
      line.getErr().flush();
    }
  }

  /** Rejects a flag given before a command that would ignore it. */
  private static void refuseIgnoredFlags(ParseResult result) {
    List<CommandLine> chain = result.asCommandLineList();
    CommandLine last = chain.getLast();
    if (last.isUsageHelpRequested()
        || chain.size() == 1
        || KubeOptions.of(last.getCommandSpec()).isPresent()) {
      return;
    }
    KubeOptions.of(chain.getFirst().getCommandSpec())
        .flatMap(given -> given.given().findFirst())
        .ifPresent(
            flag -> {
              throw new ParameterException(
                  last,
                  flag + " does not apply to \"" + last.getCommandSpec().qualifiedName() + "\"");
            });
  }

  private static int usageError(ParameterException e, String[] arguments) {
    CommandLine line = e.getCommandLine();
    String command = line.getCommandSpec().qualifiedName();
    print(line, UsageErrors.explain(e) + "; see '" + command + " --help'");
    return ExitCode.USAGE;
  }

  /** Prints a failure in one line and returns its exit code. */
  private static int failure(Exception e, CommandLine line, ParseResult result) {
    if (System.getenv(DEBUG_VARIABLE) != null) {
      e.printStackTrace(line.getErr());
    }
    return switch (explained(e)) {
      case CommandFailure known -> {
        print(line, String.valueOf(known.getMessage()));
        yield known.exitCode();
      }
      case KubernetesClientException kube -> {
        print(line, KubeErrors.explain(kube));
        yield ExitCode.FAILED;
      }
      case InterruptedException _ -> {
        Thread.currentThread().interrupt();
        print(line, "interrupted");
        yield ExitCode.FAILED;
      }
      default -> {
        print(
            line,
            "internal error: "
                + e
                + "; please report it with the output of "
                + DEBUG_VARIABLE
                + "=1");
        yield ExitCode.FAILED;
      }
    };
  }

  private static Exception explained(Exception e) {
    Exception explained = e;
    for (FailureExplanation each : ServiceLoader.load(FailureExplanation.class)) {
      explained = each.explain(explained);
    }
    return explained;
  }

  /** Joins the message into one line, because scripts and people rely on one. */
  private static void print(CommandLine line, String message) {
    PrintWriter err = line.getErr();
    err.println("error: " + SafeText.line(String.join(" ", message.lines().toList())));
    err.flush();
  }

  @Command(addMethodSubcommands = false)
  static final class HelpOption {
    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;
  }
}

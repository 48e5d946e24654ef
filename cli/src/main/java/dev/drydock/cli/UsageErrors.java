package dev.drydock.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes a wrong command line in one line, worded as in kubectl. */
final class UsageErrors {
  /** Shorter words are similar to too many flags. */
  private static final int SHORTEST_FLAG = "--abcd".length();

  private UsageErrors() {}

  static String explain(ParameterException e) {
    return switch (e) {
      case UnmatchedArgumentException unmatched when !unmatched.getUnmatched().isEmpty() ->
          unmatched(unmatched);
      case MissingParameterException missing when missing.getMissing().size() == 1 ->
          missing(missing.getMissing().getFirst());
      default ->
          e.getArgSpec() != null && e.getValue() != null
              ? wrongValue(e.getArgSpec(), e.getValue())
              : String.valueOf(e.getMessage()).lines().findFirst().orElse("wrong arguments");
    };
  }

  static String unknownCommand(String word, CommandLine line) {
    return "unknown command \"%s\" for \"%s\"%s"
        .formatted(
            word, line.getCommandSpec().qualifiedName(), NearestName.hint(word, subcommands(line)));
  }

  private static String unmatched(UnmatchedArgumentException e) {
    CommandLine line = e.getCommandLine();
    String word = e.getUnmatched().getFirst();
    if (e.isUnknownOption()) {
      return "unknown flag: " + word + nearestFlag(word, line);
    }
    return line.getSubcommands().isEmpty()
        ? "unexpected argument \"%s\" for \"%s\""
            .formatted(word, line.getCommandSpec().qualifiedName())
        : unknownCommand(word, line);
  }

  private static String nearestFlag(String word, CommandLine line) {
    String name = word.replaceFirst("=.*", "");
    return name.length() < SHORTEST_FLAG ? "" : NearestName.hint(name, flags(line));
  }

  private static List<String> flags(CommandLine line) {
    return line.getCommandSpec().options().stream()
        .filter(flag -> !flag.hidden())
        .flatMap(flag -> Stream.of(flag.names()))
        .filter(name -> name.startsWith("--"))
        .toList();
  }

  private static String missing(ArgSpec argument) {
    return argument instanceof OptionSpec flag
        ? "flag needs a value: %s %s".formatted(flag.longestName(), flag.paramLabel())
        : "missing argument: " + argument.paramLabel();
  }

  private static String wrongValue(ArgSpec argument, String value) {
    String name = argument instanceof OptionSpec flag ? flag.longestName() : argument.paramLabel();
    return "invalid value \"%s\" for %s: use %s".formatted(value, name, wanted(argument));
  }

  private static String wanted(ArgSpec argument) {
    Class<?> type = argument.auxiliaryTypes()[0];
    if (argument.completionCandidates() != null) {
      List<String> known = new ArrayList<>();
      argument.completionCandidates().forEach(known::add);
      return "one of " + String.join(", ", known);
    }
    if (type == Duration.class) {
      return "a time like 90s or 1h30m";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    return type.isPrimitive() || Number.class.isAssignableFrom(type)
        ? "a whole number"
        : argument.paramLabel();
  }

  private static List<String> subcommands(CommandLine line) {
    return line.getSubcommands().entrySet().stream()
        .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .toList();
  }
}

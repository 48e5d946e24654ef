package dev.drydock.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Computes completion candidates in the protocol of kubectl's plugin completion: one candidate per
 * line, its description after a tab, and a directive in the last line.
 */
final class Completion {
  private static final String NO_FILES = ":4";
  private static final String FILES = ":0";

  private Completion() {}

  static List<String> complete(CommandLine root, List<String> words) {
    List<String> typed = words.isEmpty() ? List.of("") : words;
    CommandSpec command = root.getCommandSpec();
    @Nullable OptionSpec awaitsValue = null;
    Typed before = new Typed(new HashMap<>(), new HashSet<>());
    for (String word : typed.subList(0, typed.size() - 1)) {
      if (awaitsValue != null) {
        before.values().put(awaitsValue.longestName(), word);
        awaitsValue = null;
      } else if (word.startsWith("-")) {
        OptionSpec option = command.findOption(word);
        awaitsValue = option != null && takesValue(option) ? option : null;
        before.add(word);
      } else if (command.subcommands().containsKey(word)) {
        command = command.subcommands().get(word).getCommandSpec();
      } else {
        before.arguments().add(word);
      }
    }
    return candidates(command, awaitsValue, typed.getLast(), before);
  }

  /** The flag values and arguments before the word being completed. */
  private record Typed(Map<String, String> values, Set<String> arguments) {
    void add(String flag) {
      int equals = flag.indexOf('=');
      if (equals > 0) {
        values.put(flag.substring(0, equals), flag.substring(equals + 1));
      }
    }
  }

  private static List<String> candidates(
      CommandSpec command, @Nullable OptionSpec awaitsValue, String prefix, Typed before) {
    if (awaitsValue != null) {
      return values(awaitsValue, "", prefix, before);
    }
    int equals = prefix.indexOf('=');
    if (prefix.startsWith("--") && equals > 0) {
      OptionSpec option = command.findOption(prefix.substring(0, equals));
      return option == null
          ? List.of(NO_FILES)
          : values(option, prefix.substring(0, equals + 1), prefix, before);
    }
    Stream<String> names =
        prefix.startsWith("-")
            ? command.options().stream()
                .filter(o -> !o.hidden())
                .map(o -> line(o.longestName(), o.description()))
            : command.subcommands().entrySet().stream()
                .filter(e -> !e.getValue().getCommandSpec().usageMessage().hidden())
                .map(
                    e ->
                        line(
                            e.getKey(),
                            e.getValue().getCommandSpec().usageMessage().description()));
    Stream<String> arguments =
        prefix.startsWith("-")
            ? Stream.of()
            : command.positionalParameters().stream()
                .flatMap(argument -> valuesOf(argument, before))
                .filter(value -> !before.arguments().contains(value));
    boolean file =
        !prefix.startsWith("-")
            && command.positionalParameters().stream().anyMatch(a -> a.type() == Path.class);
    return answer(
        Stream.concat(names, arguments).filter(c -> c.startsWith(prefix)), file ? FILES : NO_FILES);
  }

  private static List<String> values(ArgSpec argument, String flag, String prefix, Typed before) {
    List<String> values =
        valuesOf(argument, before).map(flag::concat).filter(c -> c.startsWith(prefix)).toList();
    return answer(values.stream(), argument.completionCandidates() == null ? FILES : NO_FILES);
  }

  private static Stream<String> valuesOf(ArgSpec argument, Typed before) {
    Iterable<String> known = argument.completionCandidates();
    if (known instanceof ClusterScopedNames names) {
      return names
          .read(before.values().get("--kubeconfig"), before.values().get("--context"))
          .stream();
    }
    return known == null ? Stream.of() : StreamSupport.stream(known.spliterator(), false);
  }

  private static List<String> answer(Stream<String> candidates, String directive) {
    List<String> lines = new ArrayList<>(candidates.sorted().toList());
    lines.add(directive);
    return lines;
  }

  private static boolean takesValue(OptionSpec option) {
    return option.arity().min() > 0; // an optional value can only follow a "="
  }

  private static String line(String name, String[] description) {
    return description.length == 0 ? name : name + "\t" + description[0];
  }
}

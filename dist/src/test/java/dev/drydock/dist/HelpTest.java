package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.Drydock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of every command, as a person reads it on a terminal of 80 columns. */
class HelpTest {
  private static final int COLUMNS = 80;

  /** The room for a word in a description that goes on in another line. */
  private static final int DESCRIPTION = 48;

  private static List<CommandLine> below(CommandLine line) {
    List<CommandLine> all = new ArrayList<>(List.of(line));
    line.getSubcommands().values().forEach(each -> all.addAll(below(each)));
    return all;
  }

  @TestFactory
  List<DynamicTest> itFitsATerminal() {
    return below(Drydock.commandLine()).stream()
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.getCommandSpec().qualifiedName(),
                    () ->
                        assertThat(command.getUsageMessage().lines())
                            .isNotEmpty()
                            .allSatisfy(
                                line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS))))
        .toList();
  }

  /** Words that fit into the column of descriptions, which is the narrowest. */
  @TestFactory
  List<DynamicTest> noNameIsBrokenAtTheEndOfALine() {
    return below(Drydock.commandLine()).stream()
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.getCommandSpec().qualifiedName(),
                    () ->
                        assertThat(words(command.getUsageMessage(Ansi.OFF)))
                            .containsAll(namesOf(command.getCommandSpec()))))
        .toList();
  }

  private static Set<String> namesOf(CommandSpec command) {
    Stream<String> flags =
        command.options().stream()
            .filter(flag -> !flag.hidden())
            .flatMap(flag -> Stream.of(flag.description()));
    return Stream.concat(Stream.of(command.usageMessage().description()), flags)
        .flatMap(text -> words(String.format(text)).stream())
        .filter(word -> word.length() <= DESCRIPTION)
        .collect(Collectors.toSet());
  }

  private static Set<String> words(String text) {
    return Set.copyOf(List.of(text.strip().split("\\s+", -1)));
  }

  @Test
  void noFlagIsBrokenInASynopsis() {
    for (CommandLine command : below(Drydock.commandLine())) {
      String synopsis = command.getHelp().synopsis(0).replaceAll("\\s+", " ");
      assertThat(command.getCommandSpec().options())
          .as(command.getCommandSpec().qualifiedName())
          .filteredOn(flag -> !flag.hidden() && flag.arity().max() > 0)
          .filteredOn(flag -> (flag.longestName() + flag.paramLabel()).length() < DESCRIPTION)
          .allSatisfy(flag -> assertThat(synopsis).containsAnyOf(written(flag)));
    }
  }

  private static String[] written(OptionSpec flag) {
    return Stream.of(flag.names())
        .flatMap(name -> Stream.of(name + "=", name + "[="))
        .map(name -> name + flag.paramLabel())
        .toArray(String[]::new);
  }

  @Test
  void everyVisibleFlagIsDescribed() {
    for (CommandLine command : below(Drydock.commandLine())) {
      assertThat(command.getCommandSpec().options())
          .as(command.getCommandSpec().qualifiedName())
          .filteredOn(flag -> !flag.hidden())
          .allSatisfy(HelpTest::isDescribed);
    }
  }

  private static void isDescribed(OptionSpec flag) {
    assertThat(String.join(" ", flag.description()))
        .as(flag.longestName())
        .isNotBlank()
        .doesNotContain("see below");
  }
}

package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.Drydock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The help of every command, as a person reads it on a terminal of 80 columns. */
class HelpTest {
  private static final int COLUMNS = 80;

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

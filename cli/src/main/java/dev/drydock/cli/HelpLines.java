package dev.drydock.cli;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Lines of a command's help that are known only when the program runs, such as its parts. */
public final class HelpLines {
  private HelpLines() {}

  /** Adds lines to the end of the description. */
  public static void append(CommandSpec command, List<String> lines) {
    String[] before = command.usageMessage().description();
    command
        .usageMessage()
        .description(Stream.concat(Stream.of(before), lines.stream()).toArray(String[]::new));
  }
}

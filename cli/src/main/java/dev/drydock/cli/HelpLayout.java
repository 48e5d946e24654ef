package dev.drydock.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help whose lines end at spaces, so that flags, paths and addresses stay whole and can be copied.
 * picocli itself also ends them within these, e.g. after a dot.
 */
final class HelpLayout extends Help {
  private static final int COMMAND_INDENT = 2;
  private static final int WRAPPED_INDENT = 2;

  HelpLayout(CommandSpec command, ColorScheme colors) {
    super(command, colors);
  }

  private UsageMessageSpec usage() {
    return commandSpec().usageMessage();
  }

  private WordTable table(Column... columns) {
    return new WordTable(colorScheme(), columns);
  }

  private WordTable onlyColumn() {
    return table(new Column(usage().width(), 0, Column.Overflow.WRAP));
  }

  /** Lines of the source that are indented go on below their text. */
  private String paragraphs(String[] paragraphs, Object... params) {
    WordTable table = onlyColumn();
    for (String paragraph : paragraphs) {
      String text = String.format(paragraph, params);
      int indent = text.length() - text.stripLeading().length();
      table.indentWrappedLines = indent == 0 ? 0 : indent + WRAPPED_INDENT;
      table.addRowValues(text);
    }
    return table.toString();
  }

  @Override
  public String header(Object... params) {
    return paragraphs(usage().header(), params);
  }

  @Override
  public String description(Object... params) {
    return paragraphs(usage().description(), params);
  }

  @Override
  public String footer(Object... params) {
    return paragraphs(usage().footer(), params);
  }

  @Override
  protected String insertSynopsisCommandName(int headingLength, Text details) {
    String command = commandSpec().qualifiedName();
    int below = headingLength + command.length() + 1;
    WordTable table = onlyColumn();
    table.indentWrappedLines =
        below > usage().synopsisAutoIndentThreshold() * usage().width() ? headingLength : below;
    Text heading = colorScheme().text("X".repeat(headingLength)); // printed before by picocli
    table.addRowValues(heading.concat(colorScheme().commandText(command)).concat(details));
    return table.toString().substring(headingLength);
  }

  @Override
  public String commandList(Map<String, Help> commands) {
    int longest = commands.keySet().stream().mapToInt(String::length).max().orElse(0);
    int names = longest + COMMAND_INDENT;
    WordTable table =
        table(
            new Column(names, COMMAND_INDENT, Column.Overflow.SPAN),
            new Column(usage().width() - names, COMMAND_INDENT, Column.Overflow.WRAP));
    for (Help command : commands.values()) {
      String[] description = command.commandSpec().usageMessage().description();
      String first = description.length == 0 ? "" : String.format(description[0]);
      table.addRowValues(
          command.commandNamesText(", "), colorScheme().text(first.lines().findFirst().orElse("")));
    }
    return table.toString();
  }

  @Override
  public Layout createDefaultLayout(
      List<OptionSpec> options, List<PositionalParamSpec> positionals, ColorScheme colors) {
    TextTable like =
        TextTable.forDefaultColumns(
            colors, calcLongOptionColumnWidth(options, positionals, colors), usage().width());
    return new Layout(
        colors,
        new WordTable(colors, like.columns()),
        createDefaultOptionRenderer(),
        createDefaultParameterRenderer());
  }

  /** Ends the lines of its last column at spaces. */
  private static final class WordTable extends TextTable {
    /** Where a word that is longer than a line goes on in the next one. */
    private static final String SEPARATORS = "/|,:=.";

    WordTable(ColorScheme colors, Column[] columns) {
      super(colors, columns);
    }

    @Override
    public Cell putValue(int row, int col, Text value) {
      Column column = columns()[col];
      if (col != columns().length - 1) {
        return super.putValue(row, col, value);
      }
      int indent = column.indent;
      int at = row;
      Text rest = value;
      try {
        while (column.indent + rest.plainString().length() > column.width) {
          String text = rest.plainString();
          int end = end(text, column.width - column.indent);
          var _ = super.putValue(at, col, rest.substring(0, end));
          int next = end;
          while (next < text.length() && text.charAt(next) == ' ') {
            next++;
          }
          rest = rest.substring(next);
          addEmptyRow();
          at++;
          column.indent = indent + indentWrappedLines;
        }
        return super.putValue(at, col, rest);
      } finally {
        column.indent = indent;
      }
    }

    /** Where a line of the text ends that has this much room. */
    private static int end(String text, int room) {
      int begin = text.length() - text.stripLeading().length();
      int space = text.lastIndexOf(' ', room);
      if (space > begin) {
        return space;
      }
      for (int at = room; at > begin + 1; at--) {
        if (SEPARATORS.indexOf(text.charAt(at - 1)) >= 0) {
          return at;
        }
      }
      return room;
    }
  }
}

package dev.drydock.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * For flags whose value may be left out, as kubectl reads them: {@code --force=false} gives one,
 * the word after {@code --force} never is one. Such a flag has a fallbackValue, and its default is
 * the field's: picocli would pass a defaultValue through here, too.
 */
public final class OptionalValue implements IParameterPreprocessor {
  @Override
  public boolean preprocess(
      Stack<String> words, CommandSpec command, ArgSpec flag, Map<String, Object> parser) {
    if (flag instanceof OptionSpec option && " ".equals(parser.get("separator"))) {
      words.push(option.fallbackValue());
    }
    return false;
  }
}

package dev.drydock.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * For flags with an optional value, as kubectl reads them: {@code --force=false} sets it, but the
 * word after {@code --force} is never its value. Such a flag has a fallbackValue, and the field's
 * initial value is its default, because picocli would also pass a defaultValue through here.
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

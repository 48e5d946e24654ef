package dev.drydock.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * For commands that replace a program written in Go, which takes its flags with one dash or two:
 * {@code -metrics-port=8383} is read as {@code --metrics-port=8383}. Some of these programs call
 * {@code --kubeconfig} {@code --kubeconfig-path}.
 */
public final class GoFlags implements IParameterPreprocessor {
  private static final String KUBECONFIG = "--kubeconfig";
  private static final String KUBECONFIG_PATH = "--kubeconfig-path";

  @Override
  public boolean preprocess(
      Stack<String> words, CommandSpec command, ArgSpec flag, Map<String, Object> parser) {
    // the next word is on top
    for (int i = words.size() - 1; i >= 0 && !words.get(i).equals("--"); i--) {
      String word = words.get(i);
      if (word.equals(KUBECONFIG_PATH) || word.startsWith(KUBECONFIG_PATH + "=")) {
        word = KUBECONFIG + word.substring(KUBECONFIG_PATH.length());
        words.set(i, word);
      }
      boolean oneDash = word.startsWith("-") && !word.startsWith("--");
      if (oneDash && command.optionsMap().containsKey("-" + word.split("=", 2)[0])) {
        words.set(i, "-" + word);
      }
    }
    return false;
  }
}

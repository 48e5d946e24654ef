package dev.drydock.testbed.command;

import dev.drydock.cli.CommandFailure;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The {@code --name} option: several clusters can be up at once. */
final class ClusterName {
  static final String DEFAULT = "drydock";
  private static final Pattern LEGAL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = DEFAULT,
      description = "The cluster's name. Default: ${DEFAULT-VALUE}.")
  private String name = DEFAULT;

  ClusterFolder folder() {
    return ClusterFolder.ofUser(checked(name));
  }

  static String checked(String name) {
    if (!LEGAL.matcher(name).matches()) {
      throw CommandFailure.usage(
          "--name \"" + name + "\": use up to 40 lower-case letters, digits and dashes");
    }
    return name;
  }

  /** The flag that names this cluster for another command; empty for the default cluster. */
  static String flag(String name) {
    return name.equals(DEFAULT) ? "" : " --name " + name;
  }
}

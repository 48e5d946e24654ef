package dev.drydock.drain.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On whose behalf a node is kept out of service, and why. */
final class HolderOptions {
  @Option(
      names = "--holder",
      paramLabel = "NAME",
      description = "On whose behalf the node is held. Default: user/ and your login name.")
  private @Nullable String holder;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, for everybody who looks at the node.")
  private @Nullable String reason;

  String holder() {
    return holder == null ? "user/" + System.getProperty("user.name") : holder;
  }

  String reason(String otherwise) {
    return reason == null ? otherwise : reason;
  }

  /** How to name this holder to another command: nothing for the default one. */
  String flag() {
    return holder == null ? "" : " --holder " + holder;
  }
}

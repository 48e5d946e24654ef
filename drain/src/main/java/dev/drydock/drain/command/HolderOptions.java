package dev.drydock.drain.command;

import dev.drydock.cli.ShellWord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The holder of a node, and the reason. */
final class HolderOptions {
  @Option(
      names = "--holder",
      paramLabel = "NAME",
      description = "The name of the holder. Default: user/ and your login name.")
  private @Nullable String holder;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "The reason, shown to everyone who looks at the node.")
  private @Nullable String reason;

  String holder() {
    return holder == null ? "user/" + System.getProperty("user.name") : holder;
  }

  String reason(String otherwise) {
    return reason == null ? otherwise : reason;
  }

  /** The flag that names this holder for another command; empty for the default. */
  String flag() {
    return holder == null ? "" : " --holder " + ShellWord.of(holder);
  }
}

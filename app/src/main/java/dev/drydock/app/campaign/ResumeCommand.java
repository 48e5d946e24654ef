package dev.drydock.app.campaign;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock campaign resume}. */
@Command(
    name = "resume",
    addMethodSubcommands = false,
    description = "Let nodes of paused campaigns leave again.")
final class ResumeCommand implements Callable<Integer> {
  @Mixin private Change change = new Change();

  @Override
  public Integer call() {
    return change.make("resumed", spec -> spec.put("paused", false), _ -> {});
  }
}

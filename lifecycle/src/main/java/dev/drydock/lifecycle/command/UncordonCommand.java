package dev.drydock.lifecycle.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock lifecycle uncordon}. */
@Command(
    name = "uncordon",
    addMethodSubcommands = false,
    description =
        "Give nodes back by a LifecycleEvent each, and follow it to the end. Holds of others stay.")
final class UncordonCommand implements Callable<Integer> {
  @Mixin private EventRequest request = new EventRequest();

  @Override
  public Integer call() {
    return request.run(new EventRequest.Ask("uncordon", "drain.slm.k8s.io-uncordon", "uncordoned"));
  }
}

package dev.drydock.lifecycle.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock lifecycle uncordon}. */
@Command(
    name = "uncordon",
    addMethodSubcommands = false,
    description =
        "Uncordon nodes with one LifecycleEvent each, and follow it to the end. Holds of others stay.")
final class LifecycleUncordonCommand implements Callable<Integer> {
  @Mixin private LifecycleEventCreation request = new LifecycleEventCreation();

  @Override
  public Integer call() throws InterruptedException {
    return request.run(
        new LifecycleEventCreation.Ask("uncordon", "drain.slm.k8s.io-uncordon", "uncordoned"));
  }
}

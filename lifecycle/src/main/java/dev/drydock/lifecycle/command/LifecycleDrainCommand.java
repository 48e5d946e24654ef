package dev.drydock.lifecycle.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drydock lifecycle drain}. */
@Command(
    name = "drain",
    addMethodSubcommands = false,
    description =
        "Drain nodes with one LifecycleEvent each, and follow it to the end. The agents on the nodes do the work.")
final class LifecycleDrainCommand implements Callable<Integer> {
  @Mixin private LifecycleEventCreation request = new LifecycleEventCreation();

  @Override
  public Integer call() throws InterruptedException {
    return request.run(new LifecycleEventCreation.Ask("drain", "drain.slm.k8s.io", "drained"));
  }
}

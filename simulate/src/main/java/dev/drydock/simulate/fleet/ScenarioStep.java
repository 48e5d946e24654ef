package dev.drydock.simulate.fleet;

import dev.drydock.drain.engine.decide.DrainPolicy;
import java.time.Duration;

/**
 * Something that happens to nodes of a fleet.
 *
 * @param at counted from the moment at which the fleet is up and in order
 */
public record ScenarioStep(Duration at, NodeSelection nodes, What what) {
  /** What happens. */
  public sealed interface What {
    /** They are emptied and stay cordoned; so many at a time, 0 for all at once. */
    record Drain(DrainPolicy policy, int parallel) implements What {}

    /** They fall silent, with all that runs on them. */
    record Fail() implements What {}

    /** Those that were silent are back. */
    record Recover() implements What {}

    /** They reboot as they are, without a drain. */
    record Reboot(Duration takes) implements What {}

    /** Each is emptied, rebooted and put back into service; so many at a time, 0 for all. */
    record RollOut(DrainPolicy policy, int parallel, Duration rebootTakes) implements What {}

    /** They are schedulable again, whoever held them. */
    record Uncordon() implements What {}
  }
}

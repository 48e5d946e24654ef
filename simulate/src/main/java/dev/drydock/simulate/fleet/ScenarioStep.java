package dev.drydock.simulate.fleet;

import dev.drydock.drain.engine.decide.DrainPolicy;
import java.time.Duration;

/**
 * One step of a scenario.
 *
 * @param at relative to the time when the fleet is up
 */
public record ScenarioStep(Duration at, NodeSelection nodes, What what) {
  /** The kinds of steps. */
  public sealed interface What {
    /** Drains the nodes and leaves them cordoned; a given number at a time, 0 for all at once. */
    record Drain(DrainPolicy policy, int parallel) implements What {}

    /** The nodes stop responding, with all their pods. */
    record Fail() implements What {}

    /** Unresponsive nodes respond again. */
    record Recover() implements What {}

    /** The nodes reboot without a drain. */
    record Reboot(Duration takes) implements What {}

    /** Each node is drained, rebooted and uncordoned; a given number at a time, 0 for all. */
    record RollOut(DrainPolicy policy, int parallel, Duration rebootTakes) implements What {}

    /** The nodes become schedulable, regardless of holds. */
    record Uncordon() implements What {}
  }
}

package dev.drydock.slingshot.driver.decide;

import java.util.Optional;

/**
 * The maintenance of a roll-out that the node is drained for.
 *
 * @param validating whether it is past the install
 * @param replacesThisAgent whether the agent's pod is about to be replaced: its successor installs
 * @param rollbackTo the version to go back to
 * @param complete whether the agent has said that it is done
 */
public record AgentMaintenance(
    String uid,
    boolean validating,
    boolean replacesThisAgent,
    Optional<String> rollbackTo,
    boolean complete) {}

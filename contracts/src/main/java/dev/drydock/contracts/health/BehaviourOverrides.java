package dev.drydock.contracts.health;

/** What a monitor wants done regardless of the rules. */
public record BehaviourOverrides(boolean force, boolean skip) {}

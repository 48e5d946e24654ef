package dev.drydock.health.drainer;

import dev.drydock.health.customdrain.CustomDrainConfig;
import dev.drydock.health.drainer.decide.DrainRules;
import java.util.Optional;

/**
 * The configuration of the node drainer.
 *
 * @param partialDrain whether a reset of a component needs only the pods that use it to go
 * @param entityMetric whether drains of single devices are counted by device
 */
public record NodeDrainerConfig(
    DrainRules rules,
    boolean partialDrain,
    boolean entityMetric,
    Optional<CustomDrainConfig> customDrain) {}

package dev.drydock.health.slurm.decide;

import dev.drydock.contracts.health.RecommendedAction;
import java.util.regex.Pattern;

/**
 * Which reasons of drains in Slurm become health events.
 *
 * @param name for people
 * @param regex found in a segment of the reason
 * @param message of the event; empty for the segment itself
 */
public record DrainPattern(
    String name,
    Pattern regex,
    String checkName,
    String componentClass,
    boolean isFatal,
    String message,
    RecommendedAction recommendedAction) {}

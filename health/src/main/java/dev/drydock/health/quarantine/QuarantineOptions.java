package dev.drydock.health.quarantine;

/**
 * How quarantines are made.
 *
 * @param namespace of the breakers' ConfigMap
 * @param dryRun whether decisions are only logged and counted
 * @param gpuLabel of the nodes that the breaker counts
 */
public record QuarantineOptions(
    String namespace, boolean dryRun, String gpuLabel, String gpuLabelValue) {}

package dev.drydock.health.remediation;

/**
 * How remediation runs.
 *
 * @param namespace of the ConfigMap by which a person makes it begin anew
 * @param dryRun whether decisions are only logged
 */
public record RemediationOptions(String namespace, boolean dryRun) {}

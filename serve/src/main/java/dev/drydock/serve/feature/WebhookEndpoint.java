package dev.drydock.serve.feature;

import dev.drydock.serve.admission.AdmissionRule;

/**
 * Questions of API servers that are answered on a path.
 *
 * @param path as in the webhook configuration
 */
public record WebhookEndpoint(String path, AdmissionRule rule) {}

package dev.drydock.serve.feature;

import dev.drydock.serve.admission.AdmissionRule;
import dev.drydock.serve.tls.WebhookConfiguration;

/**
 * Questions of API servers that are answered on a path.
 *
 * @param configuration the object that has the API servers ask, validating or mutating; the
 *     operator keeps its CA up to date
 * @param path as in the configuration
 */
public record WebhookEndpoint(
    WebhookConfiguration configuration, String path, AdmissionRule rule) {}

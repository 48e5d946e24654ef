package dev.drydock.sim.contract;

import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * The API server that a contract is checked on, with administrator access. The client does not
 * retry, and the namespace belongs to the test; the provider closes both.
 */
public record ApiUnderTest(KubernetesClient client, String namespace) {}

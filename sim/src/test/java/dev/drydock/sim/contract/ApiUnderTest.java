package dev.drydock.sim.contract;

import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * The API server that a contract is checked on, as an administrator sees it: all that the contracts
 * know of it. The client makes every request once, and the namespace is the test's own; whoever
 * gave them ends them.
 */
public record ApiUnderTest(KubernetesClient client, String namespace) {}

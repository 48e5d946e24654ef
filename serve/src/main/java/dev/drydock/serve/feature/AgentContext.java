package dev.drydock.serve.feature;

import dev.drydock.kube.Kube;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What an agent process hands to its features.
 *
 * @param kube the connection, watches and loops of this process
 * @param client the library's client, on the same connection
 * @param node that it serves
 * @param namespace where the andon cord is
 * @param identity of this process among those that want a Lease
 */
public record AgentContext(
    Kube kube,
    KubernetesClient client,
    String node,
    String namespace,
    String identity,
    MeterRegistry meters) {}

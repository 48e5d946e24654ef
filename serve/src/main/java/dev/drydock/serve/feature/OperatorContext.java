package dev.drydock.serve.feature;

import dev.drydock.kube.Kube;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What an operator process hands to its features.
 *
 * @param kube the connection, watches and loops of this process
 * @param client the library's client, on the same connection
 * @param namespace of the operator: its Lease, the andon cord, its ConfigMaps
 * @param identity of this process
 * @param settings those of the features that are on
 * @param holdOwners of the features that are on
 * @param leading whether this process leads at present
 */
public record OperatorContext(
    Kube kube,
    KubernetesClient client,
    String namespace,
    String identity,
    Settings settings,
    MeterRegistry meters,
    List<HoldOwner> holdOwners,
    BooleanSupplier leading) {}

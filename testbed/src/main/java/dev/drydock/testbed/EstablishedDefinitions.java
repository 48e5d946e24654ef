package dev.drydock.testbed;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits until all CRDs of a cluster are served. {@code kubectl wait} fails if it sees a CRD in the
 * moment before its status has conditions.
 */
public final class EstablishedDefinitions {
  private static final long MOST_SECONDS = 180;

  private EstablishedDefinitions() {}

  public static void await(KubernetesClient client) {
    CompletableFuture<?> established =
        client
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .informOnCondition(all -> all.stream().allMatch(EstablishedDefinitions::isEstablished));
    try {
      var _ = established.get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while waiting for CRDs", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new TestbedException("not all CRDs are served after " + MOST_SECONDS + " s", e);
    } finally {
      var _ = established.cancel(true);
    }
  }

  private static boolean isEstablished(CustomResourceDefinition definition) {
    return definition.getStatus() != null
        && definition.getStatus().getConditions() != null
        && definition.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
  }
}

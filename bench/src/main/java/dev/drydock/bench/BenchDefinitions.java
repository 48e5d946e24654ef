package dev.drydock.bench;

import dev.drydock.contracts.CrdCatalog;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Creates Drydock's CRDs in the cluster. */
final class BenchDefinitions {
  private BenchDefinitions() {}

  /** Returns when all are served. */
  static void apply(KubernetesClient client, List<Class<? extends CustomResource<?, ?>>> kinds) {
    client
        .load(new ByteArrayInputStream(CrdCatalog.yaml(kinds).getBytes(StandardCharsets.UTF_8)))
        .forceConflicts()
        .serverSideApply();
    for (var kind : kinds) {
      var _ =
          client
              .apiextensions()
              .v1()
              .customResourceDefinitions()
              .withName(CustomResource.getCRDName(kind))
              .waitUntilCondition(
                  definition ->
                      definition.getStatus() != null
                          && definition.getStatus().getConditions() != null
                          && definition.getStatus().getConditions().stream()
                              .anyMatch(
                                  condition ->
                                      condition.getType().equals("Established")
                                          && condition.getStatus().equals("True")),
                  1,
                  TimeUnit.MINUTES);
    }
  }
}

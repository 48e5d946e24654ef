package dev.drydock.bench;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.testbed.EstablishedDefinitions;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Creates Drydock's CRDs in the cluster. */
final class BenchDefinitions {
  private BenchDefinitions() {}

  /** Returns when all are served. */
  static void apply(KubernetesClient client, List<Class<? extends CustomResource<?, ?>>> kinds) {
    client
        .load(new ByteArrayInputStream(CrdCatalog.yaml(kinds).getBytes(StandardCharsets.UTF_8)))
        .forceConflicts()
        .serverSideApply();
    EstablishedDefinitions.await(client);
  }
}

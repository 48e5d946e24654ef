package dev.drydock.cli;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks an argument that names nodes: the cluster that the command line means is asked for them
 * when a shell completes it. Knows none by itself.
 */
public final class NodeNames implements Iterable<String> {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long MOST = 1000;

  @Override
  public Iterator<String> iterator() {
    return List.<String>of().iterator();
  }

  /** Whoever presses the tab key must neither wait for long nor read an error. */
  static List<String> read(@Nullable String kubeconfig, @Nullable String context) {
    try (KubeConnection connection = KubeConnection.openFor(PATIENCE, kubeconfig, context)) {
      return connection
          .client()
          .nodes()
          .list(new ListOptionsBuilder().withLimit(MOST).build())
          .getItems()
          .stream()
          .map(node -> node.getMetadata().getName())
          .toList();
    } catch (CommandFailure | KubernetesClientException nothingToOffer) {
      return List.of();
    }
  }
}

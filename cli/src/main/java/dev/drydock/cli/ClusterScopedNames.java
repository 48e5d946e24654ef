package dev.drydock.cli;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks an argument or a flag that names objects of a kind that is in no namespace: the cluster
 * that the command line means is asked for them when a shell completes it. Knows none by itself.
 */
public abstract class ClusterScopedNames implements Iterable<String> {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long MOST = 1000;

  private final ResourceDefinitionContext kind;

  /**
   * For a kind.
   *
   * @param group empty for Kubernetes' own
   */
  protected ClusterScopedNames(String group, String version, String plural) {
    kind =
        new ResourceDefinitionContext.Builder()
            .withGroup(group)
            .withVersion(version)
            .withPlural(plural)
            .withNamespaced(false)
            .build();
  }

  @Override
  public final Iterator<String> iterator() {
    return List.<String>of().iterator();
  }

  /** Whoever presses the tab key must neither wait for long nor read an error. */
  final List<String> read(@Nullable String kubeconfig, @Nullable String context) {
    try (KubeConnection connection = KubeConnection.openFor(PATIENCE, kubeconfig, context)) {
      return connection
          .client()
          .genericKubernetesResources(kind)
          .list(new ListOptionsBuilder().withLimit(MOST).build())
          .getItems()
          .stream()
          .map(object -> object.getMetadata().getName())
          .toList();
    } catch (CommandFailure | KubernetesClientException nothingToOffer) {
      return List.of();
    }
  }
}

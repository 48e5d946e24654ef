package dev.drydock.cli;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Completes the names of cluster-scoped objects: on completion it asks the cluster selected by the
 * command line's flags. This class itself knows no kind; subclasses name one.
 */
public abstract class ClusterScopedNames implements Iterable<String> {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final long MOST = 1000;

  private final ResourceDefinitionContext kind;

  /**
   * Completes objects of one kind.
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

  /** Completion must return quickly and print no errors. */
  final List<String> read(@Nullable String kubeconfig, @Nullable String context) {
    try (KubeConnection connection = KubeConnection.openFor(TIMEOUT, kubeconfig, context)) {
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

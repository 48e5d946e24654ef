package dev.drydock.contracts;

import dev.drydock.contracts.lifecycle.LifecycleEvent;
import dev.drydock.contracts.lifecycle.LifecycleTransition;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Every kind that Drydock brings, and its definitions as YAML. */
public final class CrdCatalog {
  public static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          DrainRequest.class,
          NotifyMaintenance.class,
          MaintenanceClass.class,
          MaintenanceCampaign.class,
          LifecycleTransition.class,
          LifecycleEvent.class);

  /**
   * The same kinds as two of these, in the group of existing manifests. Where an API server brings
   * that group itself, they would be hidden, so they are not among those for every cluster.
   */
  public static final List<Class<? extends CustomResource<?, ?>>> COMPATIBLE =
      List.of(
          dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition.class,
          dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent.class);

  private CrdCatalog() {}

  /** The definitions in one stream of documents, for {@code kubectl apply -f -}. */
  public static String yaml() {
    return yaml(KINDS);
  }

  public static String yaml(List<Class<? extends CustomResource<?, ?>>> kinds) {
    return kinds.stream().map(CrdCatalog::yaml).collect(Collectors.joining("---\n"));
  }

  private static String yaml(Class<? extends CustomResource<?, ?>> kind) {
    String file = CustomResource.getCRDName(kind) + "-v1.yaml";
    try (InputStream in = CrdCatalog.class.getResourceAsStream("/crds/" + file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

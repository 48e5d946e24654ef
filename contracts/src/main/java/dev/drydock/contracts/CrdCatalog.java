package dev.drydock.contracts;

import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.janitor.GPUReset;
import dev.drydock.contracts.janitor.RebootNode;
import dev.drydock.contracts.janitor.TerminateNode;
import dev.drydock.contracts.lifecycle.LifecycleEvent;
import dev.drydock.contracts.lifecycle.LifecycleTransition;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.ExternalRemediationRequest;
import dev.drydock.contracts.nvsentinel.MaintenanceRequest;
import dev.drydock.contracts.nvsentinel.ValidationRequest;
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

/** Every kind that Drydock defines, and its CRDs as YAML. */
public final class CrdCatalog {
  public static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          DrainRequest.class,
          NotifyMaintenance.class,
          MaintenanceClass.class,
          MaintenanceCampaign.class,
          LifecycleTransition.class,
          LifecycleEvent.class,
          CXIDriver.class,
          CXIDevice.class);

  /** Kinds of parts that run only where they are named. */
  public static final List<Class<? extends CustomResource<?, ?>>> ON_REQUEST =
      List.of(MaintenanceRequest.class);

  /**
   * Kinds that Drydock writes and only other programs serve. They are not part of the default set:
   * those programs bring their own definitions.
   */
  public static final List<Class<? extends CustomResource<?, ?>>> SERVED_BY_OTHERS =
      List.of(
          RebootNode.class,
          TerminateNode.class,
          GPUReset.class,
          ExternalRemediationRequest.class,
          ValidationRequest.class);

  /**
   * Two of these kinds again, in the group that existing manifests use. They are not part of the
   * default set: an API server that serves this group itself would hide them.
   */
  public static final List<Class<? extends CustomResource<?, ?>>> COMPATIBLE =
      List.of(
          dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition.class,
          dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent.class);

  private CrdCatalog() {}

  /** The CRDs as a multi-document YAML stream, for {@code kubectl apply --server-side -f -}. */
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

package dev.drydock.lifecycle.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleEvent;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.LifecycleTransition;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.api.ApiGroupAvailability;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock lifecycle crds}: the CRDs that work on this cluster. */
@Command(
    name = "crds",
    addMethodSubcommands = false,
    description = {
      "Print the CRDs that this cluster needs.",
      "Install them with:",
      "  " + CrdInstall.LIFECYCLE,
      "Includes those of lifecycle.k8s.io, which existing manifests use, unless the API server"
          + " serves that group itself. Nothing is ever deleted."
    })
final class LifecycleCrdsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    List<Class<? extends CustomResource<?, ?>>> kinds =
        new ArrayList<>(List.of(LifecycleTransition.class, LifecycleEvent.class));
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      ApiGroupAvailability availability =
          ApiGroupAvailability.of(cluster.http(), LifecycleNames.COMPAT_GROUP);
      if (availability instanceof ApiGroupAvailability.Absent
          || availability instanceof ApiGroupAvailability.ByDefinition) {
        kinds.addAll(CrdCatalog.COMPATIBLE);
      }
      terminal.err().println(availability.words(LifecycleNames.COMPAT_GROUP) + said(availability));
    }
    terminal.out().print(CrdCatalog.yaml(kinds));
    return ExitCode.OK;
  }

  private static String said(ApiGroupAvailability availability) {
    return switch (availability) {
      case ApiGroupAvailability.Absent() -> ": its CRDs are included";
      case ApiGroupAvailability.ByDefinition() -> ": they are included as they are now";
      default -> ": its CRDs are left out";
    };
  }
}

package dev.drydock.maintenance.decide;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.request.decide.DrainRequestPolicy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The policy by which Drydock's own engine drains the nodes of a class. */
public final class ClassDrainPolicy {
  private ClassDrainPolicy() {}

  /**
   * Empty if another drainer may serve the class: then only that one knows which pods have to
   * leave. A DrainRequest without a drainer is for whoever claims it.
   */
  public static Optional<DrainPolicy> of(MaintenanceClassSpec.@Nullable Drain drain) {
    if (drain == null) {
      return Optional.empty();
    }
    if (drain.builtin() != null) {
      return Optional.of(DrainRequestPolicy.of(drain.builtin().policy()));
    }
    return Optional.ofNullable(drain.drainRequest())
        .filter(request -> DrainRequest.BUILTIN_DRAINER.equals(request.drainer()))
        .map(request -> DrainRequestPolicy.of(request.policy()));
  }
}

package dev.drydock.slingshot.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CXIDriverSpec;
import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.kube.Typed;
import dev.drydock.serve.admission.AdmissionRule;
import dev.drydock.serve.admission.AdmissionVerdict;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.OriginalImages;
import dev.drydock.slingshot.decide.SidecarInjection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Adds a retry handler to pods that use a device. A pod is never refused. */
public final class SidecarRule implements AdmissionRule {
  private final Supplier<Optional<CXIDriverSpec>> active;
  private final OriginalImages images;
  private final String withoutHandler;
  private final BooleanSupplier nativeSidecars;

  /**
   * @param active the spec of the active CXIDriver
   * @param images with the image of sidecars
   * @param withoutHandler an image that has no cxi_rh: sidecars of it run the node's
   * @param nativeSidecars whether the cluster knows init containers that keep running
   */
  public SidecarRule(
      Supplier<Optional<CXIDriverSpec>> active,
      OriginalImages images,
      String withoutHandler,
      BooleanSupplier nativeSidecars) {
    this.active = active;
    this.images = images;
    this.withoutHandler = withoutHandler;
    this.nativeSidecars = nativeSidecars;
  }

  @Override
  public FailurePolicy failurePolicy() {
    return FailurePolicy.IGNORE;
  }

  @Override
  public AdmissionVerdict judge(JsonNode request) {
    Optional<EffectiveSpec> spec = active.get().map(EffectiveSpec::of);
    if (spec.isEmpty() || spec.get().retryHandler().mode() != RetryHandlerMode.sidecar) {
      return AdmissionVerdict.ALLOWED; // another mode serves the devices already
    }
    EffectiveSpec.RetryHandler handler = spec.get().retryHandler();
    OriginalImages.Choice image = images.choose(handler.image());
    SidecarInjection injection =
        new SidecarInjection(
            image,
            spec.get().devicePlugin().resourceName(),
            handler.sidecarResources(),
            nativeSidecars.getAsBoolean(),
            image.image().equals(withoutHandler));
    return switch (injection.inject(CXIDriverRule.tree(request.path("object")))) {
      case SidecarInjection.Outcome.Unchanged _ -> AdmissionVerdict.ALLOWED;
      case SidecarInjection.Outcome.Changed changed -> verdict(changed);
    };
  }

  private static AdmissionVerdict verdict(SidecarInjection.Outcome.Changed changed) {
    AdmissionVerdict verdict = AdmissionVerdict.ALLOWED;
    for (SidecarInjection.Change change : changed.changes()) {
      verdict =
          verdict.adding(
              AdmissionVerdict.path(change.path().toArray(String[]::new)),
              Typed.tree(change.value()));
    }
    for (String warning : changed.warnings()) {
      verdict = verdict.warning(warning);
    }
    return verdict;
  }
}

package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CxiNames;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that asks for devices of any kind and has no injected retry handler.
 *
 * @param resources extended resources that its containers ask for
 * @param inject the annotation by which its author decides
 */
public record DevicePod(Set<String> resources, Optional<String> inject) {
  /**
   * Whether it should have a retry handler: then nobody answered when it was created, or its
   * namespace was not asked about.
   *
   * @param namespace labels of its namespace
   */
  public boolean isUnprotected(EffectiveSpec spec, Map<String, String> namespace) {
    String label = namespace.getOrDefault(CxiNames.INJECT_NAMESPACE, "");
    return mayBeUnprotected(spec) && (label.equals("true") || label.equals("enabled"));
  }

  /** Whether it may be unprotected, without knowing its namespace. */
  public boolean mayBeUnprotected(EffectiveSpec spec) {
    boolean uses =
        resources.stream().anyMatch(name -> name.startsWith(spec.devicePlugin().resourceName()));
    return spec.retryHandler().mode() == RetryHandlerMode.sidecar
        && uses
        && SidecarInjection.isWanted(inject.map(each -> each), uses);
  }
}

package dev.drydock.testkit;

import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/** The CRDs that tests have installed on real control planes, which many tests share. */
public final class RealDefinitions {
  private static final Map<ControlPlane, Set<String>> INSTALLED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private RealDefinitions() {}

  /**
   * Installs CRDs with kubectl and waits until they are served, unless a test has done so on this
   * control plane: that takes as long as a small test. Tests must leave them as they are.
   */
  public static void install(ControlPlane controlPlane, String definitions) {
    Set<String> installed =
        INSTALLED.computeIfAbsent(controlPlane, _ -> ConcurrentHashMap.newKeySet());
    if (!installed.contains(definitions)) {
      controlPlane
          .kubectlWithInput(definitions, "apply", "--server-side", "--force-conflicts", "-f", "-")
          .output();
      EstablishedDefinitions.await(controlPlane.client());
      installed.add(definitions);
    }
  }
}

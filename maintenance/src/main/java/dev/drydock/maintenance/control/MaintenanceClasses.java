package dev.drydock.maintenance.control;

import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.kube.KubeHttp;
import java.util.Map;
import java.util.TreeMap;

/** Every MaintenanceClass as it is now. */
public final class MaintenanceClasses {
  private MaintenanceClasses() {}

  /** By name. */
  public static Map<String, MaintenanceClassSpec> list(KubeHttp http) {
    Map<String, MaintenanceClassSpec> byName = new TreeMap<>();
    var _ =
        http.list(
                MaintenanceClassObject.ALL,
                object -> {
                  MaintenanceClassObject seen = MaintenanceClassObject.read(object);
                  byName.put(seen.name(), seen.spec());
                })
            .orThrow("list of MaintenanceClasses");
    return byName;
  }
}

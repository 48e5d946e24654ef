package dev.drydock.maintenance.control;

import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.UnreadableObject;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every MaintenanceClass as it is now. */
public final class MaintenanceClasses {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceClasses.class);

  private MaintenanceClasses() {}

  /** Classes by name; one that cannot be read is left out, so that the others can be used. */
  public static Map<String, MaintenanceClassSpec> list(KubeHttp http) {
    Map<String, MaintenanceClassSpec> byName = new TreeMap<>();
    var _ =
        http.list(
                MaintenanceClassObject.ALL,
                UnreadableObject.leftOut(
                    MaintenanceClassObject::read,
                    seen -> byName.put(seen.name(), seen.spec()),
                    bad -> LOG.warn("MaintenanceClass {}", bad.getMessage())))
            .orThrow("list of MaintenanceClasses");
    return byName;
  }
}

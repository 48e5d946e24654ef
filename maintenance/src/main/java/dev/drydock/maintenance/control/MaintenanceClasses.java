package dev.drydock.maintenance.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeHttp;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every MaintenanceClass as it is now. */
public final class MaintenanceClasses {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceClasses.class);

  private MaintenanceClasses() {}

  /** By name; one that cannot be read is left out, so that the others can be used. */
  public static Map<String, MaintenanceClassSpec> list(KubeHttp http) {
    Map<String, MaintenanceClassSpec> byName = new TreeMap<>();
    var _ =
        http.list(MaintenanceClassObject.ALL, object -> add(byName, object))
            .orThrow("list of MaintenanceClasses");
    return byName;
  }

  private static void add(Map<String, MaintenanceClassSpec> byName, JsonNode object) {
    try {
      MaintenanceClassObject seen = MaintenanceClassObject.read(object);
      byName.put(seen.name(), seen.spec());
    } catch (IllegalStateException | IllegalArgumentException malformed) {
      LOG.warn(
          "MaintenanceClass {} cannot be read: {}",
          Fields.text(object.path("metadata"), "name"),
          malformed.getMessage());
    }
  }
}

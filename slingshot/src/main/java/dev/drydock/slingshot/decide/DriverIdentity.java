package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.cxi.CxiNames;
import java.util.List;
import java.util.Map;

/**
 * A CXIDriver as the owner of others.
 *
 * @param namespace of what runs on the nodes
 */
public record DriverIdentity(String name, String uid, long generation, String namespace) {

  /** With the controller's mark, so that Kubernetes collects it with the CXIDriver. */
  List<Map<String, Object>> owner() {
    return List.of(
        Tree.of(
            "apiVersion",
            CXIDriver.GROUP + "/" + CXIDriver.VERSION,
            "kind",
            CXIDriver.KIND,
            "name",
            name,
            "uid",
            uid,
            "controller",
            true,
            "blockOwnerDeletion",
            true));
  }

  Map<String, Object> labels(CxiComponent component) {
    return Tree.of(
        CxiNames.MANAGED_BY,
        CxiNames.OPERATOR,
        CxiNames.COMPONENT,
        component.text(),
        CxiNames.INSTANCE,
        name);
  }
}

package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A class says which namespaces may use it; the API server itself keeps others from it. */
@ClusterTest
class ClassNamespacesIT extends InstalledPolicy {
  ClassNamespacesIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    super(cluster, namespace.name(), folder, "class-policy.yaml");
  }

  @AfterEach
  void removeClasses() {
    cluster.kubectl("delete", "maintenanceclasses", "--all").output();
  }

  @Test
  void onlyItsNamespacesMayUseAClass() throws IOException {
    createClass("open", "");
    createClass(
        "ours", "annotations: {drydock.dev/allowed-namespaces: 'ops, %s'}".formatted(namespace));
    createClass("theirs", "annotations: {drydock.dev/allowed-namespaces: 'ops'}");

    eventually(
        () ->
            createMaintenance("theirs")
                .standardError()
                .contains(
                    "MaintenanceClass \"theirs\" is not for namespace \"" + namespace + "\""));
    for (String allowed : new String[] {"open", "ours", ""}) {
      CommandResult result = createMaintenance(allowed);
      assertThat(result.exitCode()).as(result.toString()).isZero();
    }
  }

  private void createClass(String name, String metadata) throws IOException {
    CommandResult created =
        create(
            """
            apiVersion: drydock.dev/v1alpha1
            kind: MaintenanceClass
            metadata:
              name: %s
              %s
            spec: {drain: {outside: {}}, maintenance: {outside: {}}, validation: {outside: {}}}
            """
                .formatted(name, metadata));
    assertThat(created.exitCode()).as(created.toString()).isZero();
  }

  private CommandResult createMaintenance(String maintenanceClass) throws IOException {
    return create(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: one}
        spec:
          maintenanceID: one
          maintenanceType: planned
          nodeObject: one
          %s
        """
            .formatted(maintenanceClass.isEmpty() ? "" : "maintenanceClass: " + maintenanceClass),
        "--dry-run=server");
  }
}

package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A class says which namespaces may use it; the API server itself keeps others from it. */
@ClusterTest
class ClassNamespacesIT {
  private static final String POLICY = TestOperators.DEPLOY.resolve("class-policy.yaml").toString();

  private final ControlPlane cluster;
  private final String namespace;
  private final Path folder;

  ClassNamespacesIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    this.cluster = cluster;
    this.namespace = namespace.name();
    this.folder = folder;
  }

  @BeforeEach
  void install() throws IOException {
    new TestOperators(cluster, folder).define();
    cluster.kubectl("apply", "--server-side", "-f", POLICY).output();
  }

  @AfterEach
  void remove() {
    cluster.kubectl("delete", "-f", POLICY).output();
    cluster.kubectl("delete", "maintenanceclasses", "--all").output();
  }

  @Test
  void onlyItsNamespacesMayUseAClass() throws IOException {
    createClass("open", "");
    createClass(
        "ours", "annotations: {drydock.dev/allowed-namespaces: 'ops, %s'}".formatted(namespace));
    createClass("theirs", "annotations: {drydock.dev/allowed-namespaces: 'ops'}");

    eventually(() -> create("theirs").exitCode() != 0);
    assertThat(create("theirs").standardError())
        .contains("MaintenanceClass \"theirs\" is not for namespace \"" + namespace + "\"");
    for (String allowed : new String[] {"open", "ours", ""}) {
      CommandResult result = create(allowed);
      assertThat(result.exitCode()).as(result.toString()).isZero();
    }
  }

  private void createClass(String name, String metadata) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("class.yaml"),
            """
            apiVersion: drydock.dev/v1alpha1
            kind: MaintenanceClass
            metadata:
              name: %s
              %s
            spec: {drain: {outside: {}}, maintenance: {outside: {}}, validation: {outside: {}}}
            """
                .formatted(name, metadata));
    cluster.kubectl("apply", "-f", file.toString()).output();
  }

  private CommandResult create(String maintenanceClass) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("maintenance.yaml"),
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
                .formatted(
                    maintenanceClass.isEmpty() ? "" : "maintenanceClass: " + maintenanceClass));
    return cluster.kubectl("create", "-n", namespace, "--dry-run=server", "-f", file.toString());
  }
}

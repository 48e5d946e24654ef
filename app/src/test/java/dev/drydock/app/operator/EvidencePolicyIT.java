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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant may create Jobs, but none that passes for a maintenance's own. */
@ClusterTest
class EvidencePolicyIT {
  private static final String POLICY =
      TestOperators.DEPLOY.resolve("evidence-policy.yaml").toString();

  private final ControlPlane cluster;
  private final String namespace;
  private final Path folder;
  private String uid = "";

  EvidencePolicyIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    this.cluster = cluster;
    this.namespace = namespace.name();
    this.folder = folder;
  }

  @BeforeEach
  void install() throws IOException {
    new TestOperators(cluster, folder).define();
    Path file =
        Files.writeString(
            folder.resolve("maintenance.yaml"),
            """
            apiVersion: ngn2.nvidia.com/v1alpha1
            kind: NotifyMaintenance
            metadata: {name: m}
            spec: {maintenanceID: m, maintenanceType: planned, nodeObject: none}
            """);
    uid =
        cluster
            .kubectl(
                "create", "-n", namespace, "-f", file.toString(), "-o", "jsonpath={.metadata.uid}")
            .output()
            .strip();
    cluster.kubectl("apply", "--server-side", "-f", POLICY).output();
    cluster
        .kubectl(
            "create",
            "rolebinding",
            "-n",
            namespace,
            "tenant",
            "--clusterrole=edit",
            "--user=tenant")
        .output();
  }

  @AfterEach
  void remove() {
    cluster.kubectl("delete", "-f", POLICY).output();
  }

  @Test
  void onlyThoseWhoMayWriteTheStatusOfMaintenancesMakeTheirJobs() throws IOException {
    eventually(() -> create("forged", "NotifyMaintenance", "--as=tenant").exitCode() != 0);
    assertThat(create("forged", "NotifyMaintenance", "--as=tenant").standardError())
        .contains("only the operator makes objects of a NotifyMaintenance");
    CommandResult own = create("own", "Other", "--as=tenant");
    assertThat(own.exitCode()).as(own.toString()).isZero();
    CommandResult operator =
        create("real", "NotifyMaintenance", "--as-group=system:masters", "--as=operator");
    assertThat(operator.exitCode()).as(operator.toString()).isZero();

    String owner =
        "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"ngn2.nvidia.com/v1alpha1\","
            + "\"kind\":\"NotifyMaintenance\",\"name\":\"m\",\"uid\":\"2\"}]}}";
    assertThat(
            cluster
                .kubectl(
                    "patch",
                    "job",
                    "-n",
                    namespace,
                    "own",
                    "--type=merge",
                    "-p",
                    owner,
                    "--as=tenant")
                .standardError())
        .contains("only the operator makes objects of a NotifyMaintenance");
    CommandResult labelled =
        cluster.kubectl("label", "job", "-n", namespace, "real", "a=b", "--as=tenant");
    assertThat(labelled.exitCode()).as(labelled.toString()).isZero();
  }

  private CommandResult create(String name, String owner, String... as) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: %s
              ownerReferences:
                - {apiVersion: ngn2.nvidia.com/v1alpha1, kind: %s, name: m, uid: %s, controller: true}
            spec:
              suspend: true
              template:
                spec: {restartPolicy: Never, containers: [{name: main, image: none}]}
            """
                .formatted(name, owner, uid));
    List<String> words = new ArrayList<>(List.of("create", "-n", namespace, "-f", file.toString()));
    words.addAll(List.of(as));
    return cluster.kubectl(words.toArray(String[]::new));
  }
}

package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant may create Jobs, but none that passes for a maintenance's own. */
@ClusterTest
class EvidencePolicyIT extends InstalledPolicy {
  private String uid = "";

  EvidencePolicyIT(ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    super(cluster, namespace.name(), folder, "evidence-policy.yaml");
  }

  @BeforeEach
  void createMaintenanceAndTenant() throws IOException {
    uid =
        create(
                """
                apiVersion: ngn2.nvidia.com/v1alpha1
                kind: NotifyMaintenance
                metadata: {name: m}
                spec: {maintenanceID: m, maintenanceType: planned, nodeObject: none}
                """,
                "-o",
                "jsonpath={.metadata.uid}")
            .output()
            .strip();
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

  @Test
  void onlyThoseWhoMayWriteTheStatusOfMaintenancesMakeTheirJobs() throws IOException {
    awaitPolicy();
    assertThat(createJob("forged", "NotifyMaintenance", "--as=tenant").standardError())
        .contains("only the operator makes objects of a NotifyMaintenance");
    CommandResult own = createJob("own", "Other", "--as=tenant");
    assertThat(own.exitCode()).as(own.toString()).isZero();
    CommandResult operator =
        createJob("real", "NotifyMaintenance", "--as-group=system:masters", "--as=operator");
    assertThat(operator.exitCode()).as(operator.toString()).isZero();

    String owner =
        "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"ngn2.nvidia.com/v1alpha1\","
            + "\"kind\":\"NotifyMaintenance\",\"name\":\"m\",\"uid\":\"2\"}]}}";
    assertThat(patchJob("own", "--type=merge", owner).standardError())
        .contains("only the operator makes objects of a NotifyMaintenance");
    CommandResult labelled =
        cluster.kubectl("label", "job", "-n", namespace, "real", "a=b", "--as=tenant");
    assertThat(labelled.exitCode()).as(labelled.toString()).isZero();
  }

  @Test
  void anOwnerDoesNotBecomeAMaintenanceLater() throws IOException {
    awaitPolicy();
    assertThat(createJob("later", "Foo", "--as=tenant").exitCode()).isZero();

    String kind =
        "[{\"op\":\"replace\",\"path\":\"/metadata/ownerReferences/0/kind\",\"value\":\"NotifyMaintenance\"}]";
    assertThat(patchJob("later", "--type=json", kind).standardError())
        .contains("only the operator makes objects of a NotifyMaintenance");
  }

  @Test
  void onlyTheJobControllerLabelsPodsAsThoseOfAJob() throws IOException {
    eventually(() -> createPod("plain", "{}").succeeded()); // once the tenant's right is known
    eventually(
        () ->
            cluster
                .kubectl(
                    "label",
                    "pod",
                    "-n",
                    namespace,
                    "plain",
                    "batch.kubernetes.io/controller-uid=" + uid,
                    "--as=tenant",
                    "--dry-run=server")
                .standardError()
                .contains("only the Job controller gives pods the label"));
    assertThat(createPod("adopted", "{batch.kubernetes.io/controller-uid: x}").standardError())
        .contains("only the Job controller gives pods the label");

    assertThat(
            create(
                    """
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: runs}
                    spec:
                      template:
                        spec: {restartPolicy: Never, containers: [{name: main, image: none}]}
                    """,
                    "--as=tenant")
                .exitCode())
        .isZero();
    eventually(
        () ->
            cluster
                .kubectl("get", "pods", "-n", namespace, "-l", "job-name=runs", "-o", "name")
                .output()
                .contains("pod/runs"));
    CommandResult labelled =
        cluster.kubectl(
            "label", "pod", "-n", namespace, "-l", "job-name=runs", "a=b", "--as=tenant");
    assertThat(labelled.exitCode()).as(labelled.toString()).isZero();
  }

  @Test
  void noJobGivesItsPodsTheLabelOfAnother() throws IOException {
    eventually(
        () ->
            createLabelling("forged", "--dry-run=server")
                .standardError()
                .contains("is that of another Job"));

    assertThat(createLabelling("forged").standardError()).contains("is that of another Job");
    CommandResult own = createJob("own", "Other", "--as=tenant");
    assertThat(own.exitCode()).as(own.toString()).isZero();
    String label =
        "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"batch.kubernetes.io/controller-uid\":\"%s\"}}}}}"
            .formatted(uid);
    assertThat(patchJob("own", "--type=merge", label).exitCode()).isNotZero();
  }

  private CommandResult createLabelling(String name, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--as=tenant");
    return create(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %1$s}
        spec:
          manualSelector: true
          selector: {matchLabels: {batch.kubernetes.io/controller-uid: %2$s}}
          template:
            metadata: {labels: {batch.kubernetes.io/controller-uid: %2$s}}
            spec: {restartPolicy: Never, containers: [{name: main, image: none}]}
        """
            .formatted(name, uid),
        all.toArray(String[]::new));
  }

  /** Until the policy counts, a Job is accepted; so none is stored. */
  private void awaitPolicy() {
    eventually(
        () ->
            createJob("forged", "NotifyMaintenance", "--as=tenant", "--dry-run=server")
                .standardError()
                .contains("only the operator makes objects of a NotifyMaintenance"));
  }

  private CommandResult patchJob(String name, String type, String patch) {
    return cluster.kubectl("patch", "job", "-n", namespace, name, type, "-p", patch, "--as=tenant");
  }

  private CommandResult createPod(String name, String labels) throws IOException {
    return create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, labels: %s}
        spec: {containers: [{name: main, image: none}]}
        """
            .formatted(name, labels),
        "--as=tenant");
  }

  private CommandResult createJob(String name, String owner, String... as) throws IOException {
    return create(
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
            .formatted(name, owner, uid),
        as);
  }
}

package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.CommandFixture;
import org.junit.jupiter.api.Test;

/** The andon cord on the real API server. */
@ClusterTest
class CordCommandsIT extends CordContract {
  private final ControlPlane cluster;
  private final String namespace;

  CordCommandsIT(ControlPlane cluster, TestNamespace namespace) {
    this.cluster = cluster;
    this.namespace = namespace.name();
  }

  @Override
  CommandFixture newFixture() {
    return CommandFixture.real(cluster, namespace);
  }

  /** Many who may drain nodes may read nothing else. */
  @Test
  void whoMayDrainButNotSeeTheCordIsWarned() {
    String node = fixture.addNode();
    String user = "drainer-" + fixture.namespace();
    fixture.create(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: %1$s}
        rules:
          - apiGroups: [""]
            resources: [nodes, nodes/status]
            verbs: [get, list, watch, patch]
          - apiGroups: [""]
            resources: [pods]
            verbs: [list, watch]
          - apiGroups: [events.k8s.io]
            resources: [events]
            verbs: [create]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: %1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]
        """
            .formatted(user));
    try {
      // a grant takes a moment to be heard of
      fixture
          .eventually()
          .until(
              () -> cluster.kubectl("auth", "can-i", "patch", "nodes", "--as=" + user).succeeded());
      CommandOutcome drain =
          CommandOutcome.run(
              "drain",
              node,
              "--operator-namespace",
              fixture.namespace(),
              "--kubeconfig",
              cluster.kubeconfigFor(user).toString());

      assertThat(drain.exitCode()).as(drain.err()).isZero();
      assertThat(drain.err())
          .startsWith("Warning: cannot check whether 'drydock stop' was run: ")
          .contains("is forbidden");
      assertThat(fixture.isCordoned(node)).isTrue();
    } finally {
      fixture.client().rbac().clusterRoleBindings().withName(user).delete();
      fixture.client().rbac().clusterRoles().withName(user).delete();
    }
  }
}

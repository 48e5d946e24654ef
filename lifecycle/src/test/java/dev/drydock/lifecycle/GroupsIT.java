package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Crds;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.api.History;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestCluster;
import org.junit.jupiter.api.Test;

/**
 * Clusters that serve the compatible group not at all, with other kinds only, and with ours. Each
 * test has a cluster of its own: definitions are never taken away.
 */
@ClusterTest
class GroupsIT {
  private static final String OTHERS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: evictionrequests.lifecycle.k8s.io
        annotations: {api-approved.kubernetes.io: "unapproved, for a test"}
      spec:
        group: lifecycle.k8s.io
        scope: Namespaced
        names: {plural: evictionrequests, singular: evictionrequest, kind: EvictionRequest}
        versions:
        - name: v1alpha1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object}}
      """;

  @Test
  void aSimulatedClusterMayHaveTheGroupForOthersOnly() {
    servesWhatIsThere(new Pier(simulated(), "default", OTHERS));
  }

  @Test
  void aSimulatedClusterMayLackTheGroup() {
    servesWhatIsThere(new Pier(simulated(), "default", Crds.yaml(Crds.KINDS)));
  }

  @Test
  void aRealClusterMayLackTheGroup() {
    try (ControlPlane fresh = ControlPlane.start()) {
      servesWhatIsThere(new Pier(TestCluster.real(fresh), "default", Crds.yaml(Crds.KINDS)));
    }
  }

  private static TestCluster simulated() {
    return TestCluster.simulated(SimulatedCluster.running(SimulatedCluster.Settings.usual()));
  }

  private static void servesWhatIsThere(Pier own) {
    try (Pier pier = own) {
      String node = pier.node();
      Agent agent = pier.agent(node);
      eventually().until(() -> agent.unready().isEmpty());
      pier.event(LifecycleNames.OWN_GROUP, "drain-" + node, Pier.DRAIN, node);
      eventually().until(() -> pier.history(node).entries().size() == 1);

      pier.apply(Crds.yaml(Crds.COMPATIBLE));
      eventually().until(() -> isPublished(pier, Pier.UNCORDON));
      pier.event("uncordon-" + node, Pier.UNCORDON, node);
      eventually().until(() -> pier.history(node).entries().size() == 2);

      assertThat(pier.history(node).entries())
          .extracting(History.Entry::outcome)
          .containsOnly("Succeeded");
      assertThat(pier.isCordoned(node)).isFalse();
    }
  }

  private static boolean isPublished(Pier pier, String transition) {
    return pier.kubectl("get", "lifecycletransitions.lifecycle.k8s.io", transition).exitCode() == 0;
  }
}

package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.TestCluster;
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
    servesWhatIsThere(new LifecycleFixture(simulated(), "default", OTHERS));
  }

  @Test
  void aSimulatedClusterMayLackTheGroup() {
    servesWhatIsThere(
        new LifecycleFixture(simulated(), "default", CrdCatalog.yaml(CrdCatalog.KINDS)));
  }

  @Test
  void aRealClusterMayLackTheGroup() {
    try (ControlPlane fresh = ControlPlane.start()) {
      servesWhatIsThere(
          new LifecycleFixture(
              TestCluster.real(fresh), "default", CrdCatalog.yaml(CrdCatalog.KINDS)));
    }
  }

  private static TestCluster simulated() {
    return TestCluster.simulated();
  }

  private static void servesWhatIsThere(LifecycleFixture own) {
    try (LifecycleFixture fixture = own) {
      String node = fixture.node();
      TestAgent agent = fixture.agent(node);
      fixture.eventually().until(() -> agent.kube().health().unsynced().isEmpty());
      fixture.event(LifecycleNames.OWN_GROUP, "drain-" + node, LifecycleFixture.DRAIN, node);
      fixture.eventually().until(() -> fixture.history(node).entries().size() == 1);

      fixture.apply(CrdCatalog.yaml(CrdCatalog.COMPATIBLE));
      fixture.eventually().until(() -> isPublished(fixture, LifecycleFixture.UNCORDON));
      fixture.event("uncordon-" + node, LifecycleFixture.UNCORDON, node);
      fixture.eventually().until(() -> fixture.history(node).entries().size() == 2);

      assertThat(fixture.history(node).entries())
          .extracting(TransitionHistory.Entry::outcome)
          .containsOnly("Succeeded");
      assertThat(fixture.isCordoned(node)).isFalse();
    }
  }

  private static boolean isPublished(LifecycleFixture fixture, String transition) {
    return fixture
            .cluster()
            .client()
            .resources(CompatLifecycleTransition.class)
            .withName(transition)
            .get()
        != null;
  }
}

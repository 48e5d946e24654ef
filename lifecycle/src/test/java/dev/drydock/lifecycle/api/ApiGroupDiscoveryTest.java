package dev.drydock.lifecycle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Kube;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The groups of LifecycleEvents, of which a cluster may lack one. */
class ApiGroupDiscoveryTest {
  private final TestCluster cluster = TestCluster.simulated();

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aBugAboutOneGroupHoldsUpNoOther() {
    cluster.define(CrdCatalog.yaml());
    LoopBug bug =
        new LoopBug()
            .at(call -> call.path().equals(LifecyclePaths.group(LifecycleNames.COMPAT_GROUP)));
    Kube kube = cluster.process(bug).kube();
    try (LifecycleNodeCaches caches = new LifecycleNodeCaches(kube, cluster.addNode("n"))) {
      caches.start();

      bug.staysIn(
          "api-group-discovery",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(caches.served()).containsExactly(LifecycleNames.OWN_GROUP);
            assertThat(caches.unsynced()).isPresent();
          },
          () -> assertThat(caches.unsynced()).isEmpty());
    }
  }
}

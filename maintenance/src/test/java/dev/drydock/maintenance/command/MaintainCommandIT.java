package dev.drydock.maintenance.command;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.CommandFixture;

/** On the real API server. */
@ClusterTest
class MaintainCommandIT extends MaintainContract {
  private final ControlPlane cluster;
  private final String namespace;

  MaintainCommandIT(ControlPlane cluster, TestNamespace namespace) {
    this.cluster = cluster;
    this.namespace = namespace.name();
  }

  @Override
  CommandFixture newFixture() {
    return CommandFixture.real(cluster, namespace);
  }
}

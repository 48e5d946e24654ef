package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConnectionsTest {
  private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/a/leases/b";

  @Test
  @Timeout(60) // it would wait for ever
  void aLeaseIsRenewedHoweverManyRequestsAreUnderWay() throws InterruptedException {
    try (KubernetesClient client = new KubernetesClientBuilder().build();
        Connections connections =
            new Connections(client.getConfiguration(), client.getHttpClient())) {
      List<Connections.StreamSlot> taken = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        taken.add(connections.enterRequest(ApiCall.get("/api/v1/nodes/n")));
      }

      Connections.StreamSlot lease = connections.enterRequest(ApiCall.mergePatch(LEASE, "{}"));

      assertThat(taken).allSatisfy(slot -> assertThat(slot.places()).isNotSameAs(lease.places()));
      lease.leave();
      taken.forEach(Connections.StreamSlot::leave);
    }
  }
}

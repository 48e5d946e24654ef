package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Secret of the certificates is deleted, and the operator has no right to create it. */
class MissingCertificatesTest {
  private static final class WithoutTheRight implements CallInterceptor {
    @Override
    public void before(Call call) {
      if (call.verb().equals("create") && call.resource().equals("secrets")) {
        throw new StatusException(403, "Forbidden", "secrets is forbidden");
      }
    }
  }

  @Test
  void theManifestThatHasItIsNamed() {
    try (TestCluster cluster =
        TestCluster.simulated(
            SimulatedCluster.Settings.defaults().withHook(new WithoutTheRight()))) {
      TestProcess process = cluster.process();
      try (CertificateRotation rotation =
          new CertificateRotation(
              process.kube(),
              new CertificateRotation.Target("default", "certs", List.of(), List.of()))) {
        rotation.start();
        cluster.pass(Duration.ofSeconds(1));

        assertThat(process.kube().health().degraded())
            .singleElement()
            .asString()
            .endsWith(
                "Secret default/certs does not exist, and this process may not create it;"
                    + " run: kubectl apply -f deploy/certificates.yaml");
      } finally {
        process.close();
      }
    }
  }
}

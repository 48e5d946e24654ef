package dev.drydock.health.remediation;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.ProcessOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In virtual time. */
class FaultMaintenanceTest {
  @TempDir private Path folder;

  @Test
  void aFaultIsAMaintenanceAndTheNodeComesBack() throws Exception {
    try (RemediationFixture fixture = RemediationFixture.simulated(folder)) {
      new FaultMaintenanceContract(fixture, "default")
          .aFaultIsAMaintenanceAndTheNodeComesBack(ProcessOptions.of(RequestInterceptor.NONE));
    }
  }
}

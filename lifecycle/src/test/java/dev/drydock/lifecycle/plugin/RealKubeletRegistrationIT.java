package dev.drydock.lifecycle.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.testbed.realkubelet.RealKubelet;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import dev.drydock.testkit.Eventually;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Kubelets of today look at a driver, and know nothing to do with it. */
@RealKubeletTest
class RealKubeletRegistrationIT {
  private static final String NAME = "drain.slm.k8s.io";

  private final BlockingQueue<String> verdicts = new LinkedBlockingQueue<>();
  private final Path registrations;
  private final PluginServer.SocketFolders folders;

  RealKubeletRegistrationIT(RealKubelet kubelet) {
    registrations = kubelet.rootDirectory().resolve("plugins_registry");
    folders =
        new PluginServer.SocketFolders(kubelet.rootDirectory().resolve("plugins"), registrations);
  }

  @Test
  void aDriverIsAskedAndRefusedAndStaysForTheClaimer() throws Exception {
    try (Kube kube = NoCluster.kube();
        PluginServer _ =
            PluginServer.start(
                NAME,
                folders,
                new RecordingDriver(),
                (registered, error) -> verdicts.add(registered + " " + error));
        PluginRegistry registry = new PluginRegistry(kube, registrations, () -> {})) {

      // it names the type, which it can know from the driver's answer only
      assertThat(verdicts.poll(3, TimeUnit.MINUTES)).startsWith("false ").contains("SLMPlugin");

      registry.start();
      Eventually.inRealTime().until(() -> registry.drivers().containsKey(NAME));
      LifecycleTransitionResponse answer =
          registry
              .end(
                  NAME, EndLifecycleTransitionRequest.newBuilder().setEnd("drain-complete").build())
              .get(2, TimeUnit.MINUTES);
      assertThat(answer.getLifecycleCondition()).isEqualTo("drain-complete");

      // it tries again, and the claimer has not made it think otherwise
      assertThat(verdicts.poll(3, TimeUnit.MINUTES)).startsWith("false ");
    }
  }

  @Test
  void aDriverThatReturnsIsAskedAnew() throws Exception {
    for (int times = 0; times < 2; times++) {
      try (PluginServer _ =
          PluginServer.start(
              "returning.example",
              folders,
              new RecordingDriver(),
              (registered, error) -> verdicts.add(error))) {
        assertThat(verdicts.poll(3, TimeUnit.MINUTES)).contains("SLMPlugin");
      }
      verdicts.clear();
    }
  }
}

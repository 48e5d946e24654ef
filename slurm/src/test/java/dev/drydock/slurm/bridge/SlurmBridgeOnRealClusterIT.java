package dev.drydock.slurm.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slurm.RealSlurm;
import dev.drydock.slurm.SlurmFixture;
import dev.drydock.slurm.TlsRelay;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command with the arguments and the rights of its manifest, and not one right more, between
 * the real API server and a real Slurm behind TLS.
 */
@ClusterTest
class SlurmBridgeOnRealClusterIT {
  private static final Path DEPLOY = Path.of("..", "deploy", "slurm");
  private static final String ACCOUNT = "slurm-bridge";
  private static final String DRAIN = "SlurmNodeStateDrain";

  private final ControlPlane controlPlane;
  @TempDir private Path folder = Path.of("");

  SlurmBridgeOnRealClusterIT(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
  }

  private String kubectl(String... arguments) {
    return controlPlane.kubectl(arguments).output();
  }

  /** A token of the ServiceAccount, which has no rights but those of the manifest. */
  private Path kubeconfig() throws IOException {
    String token = kubectl("create", "token", ACCOUNT, "-n", SlurmFixture.NAMESPACE).strip();
    Path file = folder.resolve("kubeconfig");
    Files.copy(controlPlane.kubeconfig(), file, StandardCopyOption.REPLACE_EXISTING);
    String flag = "--kubeconfig=" + file;
    kubectl("config", flag, "set-credentials", ACCOUNT, "--token=" + token);
    kubectl("config", flag, "set-context", "--current", "--user=" + ACCOUNT);
    return file;
  }

  /** As the Deployment starts it, but for addresses and files. */
  private String[] command(TestCluster cluster, TlsRelay relay, Path token) throws IOException {
    Deployment deployment =
        cluster
            .client()
            .apps()
            .deployments()
            .inNamespace(SlurmFixture.NAMESPACE)
            .withName(ACCOUNT)
            .require();
    List<String> words =
        new ArrayList<>(
            deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs());
    words.removeIf(word -> word.startsWith("--slurm-url") || word.startsWith("--slurm-user"));
    words.addAll(
        List.of(
            "--slurm-url=" + relay.url(),
            "--slurm-ca-file=" + relay.authority(),
            "--slurm-user=root",
            "--slurm-token-file=" + token,
            "--slurm-poll-interval=200ms",
            "--metrics-bind-address=0",
            "--health-probe-bind-address=0",
            "--namespace=drydock-system",
            "--kubeconfig=" + kubeconfig()));
    return words.toArray(String[]::new);
  }

  @Test
  void aNodeIsDrainedInSlurmAndResumed()
      throws IOException, GeneralSecurityException, InterruptedException {
    RealSlurm.require();
    TestCluster cluster = TestCluster.real(controlPlane);
    try (SlurmFixture fixture = new SlurmFixture(cluster, SlurmFixture.DEFINITION);
        RealSlurm slurm = RealSlurm.start(folder);
        TlsRelay relay = new TlsRelay(slurm.url(), folder)) {
      for (String file : List.of("namespace.yaml", "slurm-bridge.yaml")) {
        kubectl("apply", "--server-side", "-f", DEPLOY.resolve(file).toString());
      }
      // watches that are denied at first wait long
      fixture
          .eventually()
          .until(
              () ->
                  controlPlane
                      .kubectl(
                          "auth",
                          "can-i",
                          "list",
                          "pods",
                          "-n",
                          "slinky",
                          "--as=system:serviceaccount:nvsentinel:" + ACCOUNT)
                      .succeeded());
      Path token = Files.writeString(folder.resolve("token"), slurm.token(3600));
      String node = cluster.addNode("slurm-bridge-worker");
      fixture.worker("n1", node);
      String[] command = command(cluster, relay, token);
      AtomicReference<CommandOutcome> outcome = new AtomicReference<>();
      Thread bridge = Thread.ofPlatform().start(() -> outcome.set(CommandOutcome.run(command)));
      try {
        fixture
            .eventually()
            .until(() -> fixture.condition("n1", "SlurmNodeStateIdle"), "True"::equals);
        fixture.annotate(node, "[T] [NVSentinel] 79 - x");
        fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "True"::equals);
        assertThat(slurm.state("n1")).contains("drain");
        assertThat(slurm.run("run sinfo -h -n n1 -o %E")).isEqualTo("[T] [NVSentinel] 79 - x");

        fixture.annotate(node, null);
        fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "False"::equals);
        assertThat(slurm.state("n1")).doesNotContain("drain");
      } finally {
        bridge.interrupt();
        bridge.join();
        kubectl("delete", "deployment", ACCOUNT, "-n", SlurmFixture.NAMESPACE, "--wait=false");
      }
      assertThat(outcome.get()).isEqualTo(new CommandOutcome(0, "", ""));
    }
  }
}

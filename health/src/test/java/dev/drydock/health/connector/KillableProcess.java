package dev.drydock.health.connector;

import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.quarantine.KillableQuarantine;
import dev.drydock.health.spool.SpoolLimits;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.store.served.ServedStore;
import dev.drydock.health.store.served.StoreService;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A connector, the central ingest with the store, or the quarantine, which uses that store from
 * elsewhere, in a process to be killed.
 */
public final class KillableProcess {
  private KillableProcess() {}

  /**
   * Serves until killed.
   *
   * @param arguments the role, the folder of everything, and the port of the ingest
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[1]);
    int port = Integer.parseInt(arguments[2]);
    boolean ready =
        switch (arguments[0]) {
          case "connector" -> connector(folder, port);
          case "central" -> central(folder, port);
          default -> quarantine(folder, port);
        };
    System.out.println("ready " + ready);
    System.out.flush();
    // ends with the test, even if that is killed
    while (System.in.read() >= 0) {}
    Runtime.getRuntime().halt(0);
  }

  private static boolean central(Path folder, int port) throws IOException {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    EmbeddedStore store = EmbeddedStore.open(folder.resolve("store"), TimeSource.REAL);
    TcpServer server =
        TcpServer.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            Optional.empty(),
            new TcpServer.Limits(
                4 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
            List.of(
                CentralIngest.unchecked(store, EventIntake.PLAIN, meters).service(),
                new StoreService(store).bindService()));
    return server.port() == port;
  }

  private static boolean quarantine(Path folder, int port) throws IOException {
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(folder.resolve("kubeconfig").toFile()))
            .build();
    EventStore store =
        Eventually.inRealTime()
            .until(
                () ->
                    ServedStore.open(
                        new Forwarder.Target(
                            "127.0.0.1:" + port, Optional.empty(), Optional.empty()),
                        TimeSource.REAL),
                opened -> true);
    KillableQuarantine.start(Kube.of(client), store);
    return true;
  }

  private static boolean connector(Path folder, int port) throws IOException {
    ConnectorConfig config =
        new ConnectorConfig(
            List.of(), new ConnectorConfig.Auth(false, "", Set.of(), false, false), false);
    RunningConnector connector =
        RunningConnector.start(
            new FakeApi().kube(),
            "node",
            new SimpleMeterRegistry(),
            new ConnectorSettings(
                folder.resolve("c.sock"),
                config,
                folder.resolve("spool"),
                SpoolLimits.of(64L << 20, Duration.ZERO),
                new Forwarder.Target("127.0.0.1:" + port, Optional.empty(), Optional.empty()),
                Optional.empty(),
                Optional.empty()));
    return connector.unready().isEmpty();
  }
}

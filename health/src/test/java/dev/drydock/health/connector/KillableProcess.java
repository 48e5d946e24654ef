package dev.drydock.health.connector;

import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.spool.SpoolLimits;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A connector, the central ingest and the store in one process, to be killed. */
public final class KillableProcess {
  private KillableProcess() {}

  /**
   * Serves until killed.
   *
   * @param arguments the folder of everything
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[0]);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Kube kube = new FakeApi().kube();
    EmbeddedStore store = EmbeddedStore.open(folder.resolve("store"), TimeSource.REAL);
    TcpServer central =
        TcpServer.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            new TcpServer.Limits(
                4 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
            List.of(
                EventService.of(
                    new CentralIngest(CentralIngest.unchecked(), Optional.empty(), store, meters),
                    meters)));
    RunningConnector connector =
        RunningConnector.start(
            kube,
            "node",
            meters,
            new ConnectorSettings(
                folder.resolve("c.sock"),
                ConnectorConfig.DEFAULT,
                folder.resolve("spool"),
                SpoolLimits.of(64L << 20, Duration.ZERO),
                new Forwarder.Target(
                    "127.0.0.1:" + central.port(), Optional.empty(), Optional.empty()),
                Optional.empty(),
                Optional.empty()));
    System.out.println("ready " + connector.unready().isEmpty());
    System.out.flush();
    new CountDownLatch(1).await();
  }
}

package dev.drydock.health.connector;

import dev.drydock.health.spool.Spool;
import dev.drydock.kube.Kube;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.socket.SocketMode;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.serve.web.WebServer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connector that serves a node until closed. */
public final class RunningConnector implements AgentRole.Running {
  private static final Logger LOG = LoggerFactory.getLogger(RunningConnector.class);

  /** Monitors of any user call it; who they are is checked by their tokens. */
  private static final SocketMode MODE = SocketMode.parse("0666");

  /**
   * Everybody on the node may call. Messages that are large or not there yet take most of the
   * memory: 4 MiB each, and several times that while they are worked on.
   */
  private static final CallLimit.Bounds BOUNDS =
      new CallLimit.Bounds(64, 6, 64, Duration.ofSeconds(10), Duration.ofSeconds(5));

  /** Who calls is found out with the message, as it decides which node it may be about. */
  private static final CallLimit.Admission ANYBODY =
      new CallLimit.Admission.Admitted(Optional.empty());

  /** As the original's client. */
  private static final int REVIEWS_PER_SECOND = 50;

  private final List<AutoCloseable> parts = new ArrayList<>();
  private final UnixServer server;

  private RunningConnector(Kube kube, String node, MeterRegistry meters, ConnectorSettings settings)
      throws IOException {
    ConnectorConfig config = settings.config();
    boolean started = false;
    try {
      Spool spool = Spool.open(settings.spoolFolder(), settings.limits(), kube.clock());
      parts.add(spool);
      meters.gauge("drydock_connector_spool_bytes", spool, Spool::bytes);
      meters.gauge("drydock_connector_spool_batches", spool, Spool::waiting);
      Forwarder forwarder = new Forwarder(kube, spool, settings.target(), meters);
      parts.add(forwarder);
      NodeConnector connector =
          new NodeConnector(
              config,
              node,
              new NodeConnector.Parts(
                  CallHeaders.TokenCheck.of(kube, config.auth().audience(), REVIEWS_PER_SECOND),
                  EventIntake.of(config, kube, meters),
                  spool,
                  meters),
              forwarder::wake);
      server =
          UnixServer.listen(
              settings.socket(),
              MODE,
              List.of(EventService.of(connector, meters, new CallLimit(_ -> ANYBODY, BOUNDS))));
      parts.add(server);
      if (settings.page().isPresent()) {
        page(settings, kube.clock());
      }
      forwarder.wake(); // what the process before has left
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
    LOG.info("health events are taken at {}", server.socket());
  }

  public static RunningConnector start(
      Kube kube, String node, MeterRegistry meters, ConnectorSettings settings) throws IOException {
    return new RunningConnector(kube, node, meters, settings);
  }

  private void page(ConnectorSettings settings, Clock clock) {
    ManagedChannel channel =
        UnixSockets.channel(
            settings.socket(), MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
    parts.add(channel::shutdownNow);
    parts.add(
        WebServer.plain(
            settings.page().orElseThrow(),
            new WebServer.Setting("health events", "--event-http-address"),
            Map.of("/health-event", new EventPage(channel, settings.pageToken(), clock))));
  }

  @Override
  public Optional<String> unready() {
    if (server.isSocketGone()) {
      return Optional.of("the socket " + server.socket() + " is gone");
    }
    return server.isSocketReplaced()
        ? Optional.of("another process listens at " + server.socket() + " now")
        : Optional.empty();
  }

  @Override
  public void close() {
    for (AutoCloseable part : parts.reversed()) {
      LeaderTerm.close(part.getClass(), part);
    }
    parts.clear();
  }
}

package dev.drydock.health.connector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.spool.Spool;
import dev.drydock.health.transform.Deduplicator;
import dev.drydock.health.transform.MetadataAugmentor;
import dev.drydock.health.transform.OverrideTransformer;
import dev.drydock.health.transform.TransformPipeline;
import dev.drydock.health.transform.TransformerFiles;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
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
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
                  pipeline(config, kube.clock(), meters, name -> facts(kube, name)),
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

  /**
   * The transformers of a configuration.
   *
   * @throws IllegalArgumentException with one line that says what is wrong where
   */
  public static TransformPipeline pipeline(
      ConnectorConfig config,
      Clock clock,
      MeterRegistry meters,
      Function<String, Optional<MetadataAugmentor.NodeFacts>> nodes) {
    List<TransformPipeline.Stage> stages = new ArrayList<>();
    for (ConnectorConfig.Stage stage : config.stages()) {
      switch (stage.name()) {
        case MetadataAugmentor.NAME ->
            stages.add(
                new TransformPipeline.Stage(
                    stage.name(),
                    new MetadataAugmentor(TransformerFiles.metadata(stage.file()), clock, nodes)));
        case OverrideTransformer.NAME ->
            TransformerFiles.overrides(stage.file())
                .ifPresent(
                    rules ->
                        stages.add(
                            new TransformPipeline.Stage(
                                stage.name(), overrides(stage.file(), rules, meters))));
        default ->
            stages.add(
                new TransformPipeline.Stage(
                    stage.name(),
                    new Deduplicator(TransformerFiles.deduplicator(stage.file()), clock, meters)));
      }
    }
    return new TransformPipeline(stages);
  }

  private static OverrideTransformer overrides(
      Path file, List<OverrideTransformer.Rule> rules, MeterRegistry meters) {
    try {
      return new OverrideTransformer(rules, meters);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("%s: %s".formatted(file, wrong.getMessage()), wrong);
    }
  }

  private static Optional<MetadataAugmentor.NodeFacts> facts(Kube kube, String name) {
    return kube.http().find(Resource.NODES, "", name).map(RunningConnector::facts);
  }

  private static MetadataAugmentor.NodeFacts facts(JsonNode node) {
    return new MetadataAugmentor.NodeFacts(
        Fields.text(node.path("spec"), "providerID"),
        Fields.texts(node.path("metadata").path("labels")));
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

package dev.drydock.health.operator;

import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.EventService;
import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.ingest.decide.IngestDecider;
import dev.drydock.health.store.EventStore;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.Settings;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.serve.tls.FolderIdentity;
import dev.drydock.serve.tls.ServingIdentity;
import dev.drydock.serve.token.TokenReview;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part health while its process leads: opens the event store, retried until it works; then
 * takes events and runs what works on them; removes old ones.
 */
public final class HealthLeader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HealthLeader.class);

  private static final Duration BETWEEN_REMOVALS = Duration.ofHours(1);
  private static final Duration TOKENS_KEPT = Duration.ofMinutes(2);
  private static final int MOST_TOKENS = 4096;

  private static final TcpServer.Limits LIMITS =
      new TcpServer.Limits(
          4 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(20));

  /** Works on stored events. */
  @FunctionalInterface
  public interface Worker {
    /**
     * Begins, with an open store.
     *
     * @return closed before the store
     */
    AutoCloseable start(EventStore store);
  }

  private final OperatorContext context;
  private final Map<String, String> environment;
  private final List<Worker> workers;
  private final ControlLoop loop;
  private final List<AutoCloseable> running = new ArrayList<>();
  private @Nullable EventStore store;
  private @Nullable ServingIdentity identity;
  private @Nullable TcpServer server;
  private boolean closed;

  public HealthLeader(
      OperatorContext context, Map<String, String> environment, List<Worker> workers) {
    this.context = context;
    this.environment = environment;
    this.workers = List.copyOf(workers);
    loop = context.kube().loop("event-store", this::step);
  }

  public void start() {
    loop.wake();
  }

  /** Opens what is not open yet; afterwards removes old events from time to time. */
  private synchronized Instant step() {
    if (closed) {
      return Instant.MAX;
    }
    Settings settings = context.settings();
    Instant now = context.kube().clock().instant();
    EventStore open = store;
    if (open == null) {
      // mistakes first: a store is not made for an ingest that cannot be
      identity = settings.get(HealthSettings.INGEST_INSECURE) ? null : identity(settings);
      open = EventStores.open(settings, environment, context.kube().time());
      store = open;
      running.add(open);
      for (Worker worker : workers) {
        running.add(worker.start(open));
      }
    }
    if (server == null) {
      server = listen(open, settings);
      running.add(server);
      LOG.info("health events are taken on port {}", server.port());
    }
    int removed = open.expire(now.minus(settings.get(HealthSettings.STORE_TTL)));
    if (removed > 0) {
      LOG.info("removed {} old health events", removed);
    }
    return now.plus(BETWEEN_REMOVALS);
  }

  private TcpServer listen(EventStore open, Settings settings) {
    boolean insecure = settings.get(HealthSettings.INGEST_INSECURE);
    if (insecure) {
      LOG.warn("eventIngest.insecure is true: anybody may send health events about any node");
    }
    CentralIngest ingest =
        new CentralIngest(
            insecure
                ? CentralIngest.unchecked()
                : new IngestDecider(
                    settings.get(HealthSettings.INGEST_CONNECTORS),
                    settings.get(HealthSettings.INGEST_PUBLISHERS)),
            insecure ? Optional.empty() : Optional.of(tokens(context.kube(), settings)),
            open,
            context.meters());
    try {
      return TcpServer.listen(
          settings.get(HealthSettings.INGEST_ADDRESS),
          Optional.ofNullable(identity),
          LIMITS,
          List.of(EventService.of(ingest, context.meters())));
    } catch (IOException taken) {
      throw new EventStores.Misconfigured(
          taken.getMessage() + "; set another one with eventIngest.address");
    }
  }

  private static CallHeaders.TokenCheck tokens(Kube kube, Settings settings) {
    return new TokenReview(
            kube, List.of(settings.get(HealthSettings.INGEST_AUDIENCE)), TOKENS_KEPT, MOST_TOKENS)
        ::authenticate;
  }

  private static ServingIdentity identity(Settings settings) {
    Path folder =
        settings
            .get(HealthSettings.INGEST_TLS_FOLDER)
            .orElseThrow(
                () ->
                    new EventStores.Misconfigured(
                        "eventIngest.tlsFolder is needed, or eventIngest.insecure for development"));
    try {
      return new ServingIdentity(new FolderIdentity(folder));
    } catch (IOException | GeneralSecurityException unusable) {
      throw new EventStores.Misconfigured(
          "cannot use tls.crt and tls.key in %s: %s".formatted(folder, unusable.getMessage()));
    }
  }

  /** The port that it listens on, once it does. */
  public synchronized Optional<Integer> port() {
    return Optional.ofNullable(server).map(TcpServer::port);
  }

  @Override
  public void close() {
    loop.close();
    synchronized (this) {
      closed = true;
      running.reversed().forEach(each -> LeaderTerm.close(each.getClass(), each));
      running.clear();
    }
  }
}

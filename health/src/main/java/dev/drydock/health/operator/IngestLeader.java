package dev.drydock.health.operator;

import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.EventIntake;
import dev.drydock.health.eventlog.EventLogService;
import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.ingest.decide.IngestDecider;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoreMisconfigured;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.store.served.StoreAccess;
import dev.drydock.health.store.served.StoreService;
import dev.drydock.health.store.served.decide.StoreClients;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.Settings;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.serve.tls.FolderIdentity;
import dev.drydock.serve.tls.ServingIdentity;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part ingest while its process leads: opens the event store, retried until it works; then
 * takes events, lets workers begin, and removes old events.
 */
public final class IngestLeader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IngestLeader.class);

  private static final Duration BETWEEN_REMOVALS = Duration.ofHours(1);

  /** More than on a node: here the connectors and monitors of all nodes call. */
  private static final int REVIEWS_PER_SECOND = 1000;

  private static final TcpServer.Limits LIMITS =
      new TcpServer.Limits(
          CentralIngest.LARGEST_MESSAGE,
          Duration.ofMinutes(10),
          Duration.ofMinutes(5),
          Duration.ofSeconds(20));

  /** Who watches events would be waited for as long as the watch lasts. */
  private static final TcpServer.Limits LOG_LIMITS =
      new TcpServer.Limits(
          1 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1));

  private final OperatorContext context;
  private final SharedEventStore.Use shared;
  private final EventIntake intake;
  private final StoreWorkers workers;
  private final ControlLoop loop;
  private final List<AutoCloseable> running = new ArrayList<>();
  private volatile @Nullable EventStore store;
  private @Nullable ServingIdentity identity;
  private @Nullable TcpServer server;
  private @Nullable TcpServer log;
  private boolean closed;
  private volatile Optional<String> problem = Optional.of("the event store is not open yet");

  /**
   * @param intake of events that no connector has taken before
   * @param workers closed with it
   */
  IngestLeader(
      OperatorContext context,
      SharedEventStore.Use shared,
      EventIntake intake,
      StoreWorkers workers) {
    this.context = context;
    this.shared = shared;
    this.intake = intake;
    this.workers = workers;
    loop = context.kube().loop("event-store", this::step);
  }

  public void start() {
    loop.wake();
  }

  /** Why no events are taken at present, if so. */
  Optional<String> unready() {
    EventStore open = store;
    return problem.isPresent() || open == null ? problem : open.unready();
  }

  /** Opens what is not open yet; afterwards removes old events from time to time. */
  private Instant step() {
    try {
      open();
    } catch (ExpectedFailure failed) {
      problem = Optional.of(failed.getMessage());
      throw failed;
    }
    problem = Optional.empty();
    return expire();
  }

  private synchronized void open() {
    if (closed) {
      return;
    }
    Settings settings = context.settings();
    EventStore open = store;
    if (open == null) {
      // mistakes first: a store is not made for an ingest that cannot be
      identity = settings.get(HealthSettings.INGEST_INSECURE) ? null : identity(settings);
      open = openStore(settings);
      store = open;
      workers.start();
    }
    if (server == null) {
      takeEvents(open, settings);
    }
    if (log == null) {
      log = showEvents(open, settings);
      running.add(log);
    }
  }

  private EventStore openStore(Settings settings) {
    if (settings.get(HealthSettings.STORE_KIND) == HealthSettings.StoreKind.SERVED) {
      throw new StoreMisconfigured(
          "eventStore.kind is served, but part ingest has the store itself: set embedded, postgresql or mongodb");
    }
    return shared.get();
  }

  private synchronized Instant expire() {
    EventStore open = store;
    if (closed || open == null) {
      return Instant.MAX;
    }
    Instant now = context.kube().clock().instant();
    int removed = open.expire(now.minus(context.settings().get(HealthSettings.STORE_TTL)));
    if (removed > 0) {
      LOG.info("removed {} old health events", removed);
    }
    return now.plus(BETWEEN_REMOVALS);
  }

  private TcpServer showEvents(EventStore open, Settings settings) {
    InetSocketAddress address = settings.get(HealthSettings.LOG_ADDRESS);
    if (address.getAddress() == null || !address.getAddress().isLoopbackAddress()) {
      throw new StoreMisconfigured(
          "%s must be a loopback address, such as 127.0.0.1:%d, because everybody may read there"
              .formatted(HealthSettings.LOG_ADDRESS.path(), HealthSettings.LOG_PORT));
    }
    return listen(
        HealthSettings.LOG_ADDRESS,
        Optional.empty(),
        LOG_LIMITS,
        List.of(EventLogService.of(context.kube(), open)));
  }

  private TcpServer listen(
      Setting<InetSocketAddress> setting,
      Optional<ServingIdentity> serving,
      TcpServer.Limits limits,
      List<ServerServiceDefinition> services) {
    try {
      return TcpServer.listen(context.settings().get(setting), serving, limits, services);
    } catch (IOException taken) {
      throw new StoreMisconfigured(
          "%s; set another one with %s".formatted(taken.getMessage(), setting.path()));
    }
  }

  /** Events for the store and, if it is embedded, the store itself for other processes. */
  private void takeEvents(EventStore open, Settings settings) {
    boolean insecure = settings.get(HealthSettings.INGEST_INSECURE);
    if (insecure) {
      LOG.warn(
          "eventIngest.insecure is true: anybody may send health events about any node, and change those that are stored");
    }
    Optional<CallHeaders.TokenCheck> tokens =
        insecure
            ? Optional.empty()
            : Optional.of(
                CallHeaders.TokenCheck.of(
                    context.kube(),
                    settings.get(HealthSettings.INGEST_AUDIENCE),
                    REVIEWS_PER_SECOND));
    List<ServerServiceDefinition> services = new ArrayList<>();
    services.add(ingest(open, settings, tokens).service());
    Optional<StoreService> served =
        open instanceof EmbeddedStore embedded
            ? Optional.of(new StoreService(embedded))
            : Optional.empty();
    served.ifPresent(service -> services.add(guarded(service, settings, tokens)));
    TcpServer listening =
        listen(HealthSettings.INGEST_ADDRESS, Optional.ofNullable(identity), LIMITS, services);
    server = listening;
    running.add(listening);
    served.ifPresent(running::add); // closed before the server, which waits for its callers
    LOG.info("health events are taken on port {}", listening.port());
  }

  private CentralIngest ingest(
      EventStore open, Settings settings, Optional<CallHeaders.TokenCheck> tokens) {
    return tokens
        .map(
            check ->
                new CentralIngest(
                    new IngestDecider(
                        settings.get(HealthSettings.INGEST_CONNECTORS),
                        settings.get(HealthSettings.INGEST_PUBLISHERS)),
                    check,
                    open,
                    intake,
                    context.meters()))
        .orElseGet(() -> CentralIngest.unchecked(open, intake, context.meters()));
  }

  private ServerServiceDefinition guarded(
      StoreService service, Settings settings, Optional<CallHeaders.TokenCheck> tokens) {
    return tokens
        .map(
            check ->
                StoreAccess.guard(
                    service,
                    new StoreClients(settings.get(HealthSettings.STORE_CLIENTS)),
                    check,
                    context.meters()))
        .orElseGet(service::bindService);
  }

  private static ServingIdentity identity(Settings settings) {
    Path folder =
        settings
            .get(HealthSettings.INGEST_TLS_FOLDER)
            .orElseThrow(
                () ->
                    new StoreMisconfigured(
                        "eventIngest.tlsFolder is needed, or eventIngest.insecure for development"));
    try {
      return new ServingIdentity(new FolderIdentity(folder));
    } catch (IOException | GeneralSecurityException unusable) {
      throw new StoreMisconfigured(
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
      workers.close();
      shared.close();
    }
  }
}

package dev.drydock.app.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.maintenance.admission.CampaignRule;
import dev.drydock.maintenance.admission.NotifyMaintenanceRule;
import dev.drydock.maintenance.campaign.CampaignSample;
import dev.drydock.maintenance.metrics.CampaignMetrics;
import dev.drydock.maintenance.metrics.MaintenanceMetrics;
import dev.drydock.maintenance.metrics.MaintenanceSample;
import dev.drydock.maintenance.metrics.MaintenanceWatch;
import dev.drydock.serve.admission.AdmissionHandler;
import dev.drydock.serve.tls.CertificateRotation;
import dev.drydock.serve.tls.FolderIdentity;
import dev.drydock.serve.tls.ServingIdentity;
import dev.drydock.serve.tls.WebhookConfiguration;
import dev.drydock.serve.web.WebServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every operator process does, whether it leads or stands by: it serves metrics and health,
 * answers the API servers' questions, and keeps its certificates.
 */
public final class OperatorServices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorServices.class);

  /** The ValidatingWebhookConfiguration that has the API servers ask us. */
  static final String WEBHOOKS = "drydock";

  private static final int PAGE_SIZE = 500;
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final OperatorConfig config;
  private final KubeHttp http;
  private final MaintenanceWatch maintenances;
  private final BooleanSupplier leading;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MaintenanceMetrics metrics;
  private final CampaignMetrics campaignMetrics = new CampaignMetrics(registry);
  private final Optional<CertificateRotation> keeper;
  private final Optional<ServingIdentity> identity;
  private volatile Supplier<List<CampaignSample>> campaigns = List::of;
  private final List<Runnable> looks = new CopyOnWriteArrayList<>();
  private final List<WebServer> servers = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param namespace where the Secret with the certificates is
   * @param leading whether this process counts maintenances; were all to do so, sums would be wrong
   */
  public OperatorServices(
      KubernetesClient client, String namespace, OperatorConfig config, BooleanSupplier leading) {
    this.config = config;
    this.leading = leading;
    http = new KubeHttp(client, RequestInterceptor.NONE, PAGE_SIZE);
    maintenances = new MaintenanceWatch(http);
    metrics =
        new MaintenanceMetrics(
            registry, this::counted, config.metrics().perObject(), Clock.systemUTC());
    boolean secure = config.webhook().enabled() || config.metrics().tls();
    keeper =
        secure && config.certDir().isEmpty()
            ? Optional.of(
                new CertificateRotation(new Kube(http, TimeSource.REAL), place(namespace)))
            : Optional.empty();
    identity =
        keeper
            .map(own -> new ServingIdentity(own::serving))
            .or(() -> config.certDir().filter(any -> secure).map(OperatorServices::folder));
  }

  private CertificateRotation.Target place(String namespace) {
    return new CertificateRotation.Target(
        namespace,
        config.webhook().certSecret(),
        config.webhook().enabled() ? List.of(WebhookConfiguration.validating(WEBHOOKS)) : List.of(),
        List.of(CertificateRotation.SERVICE));
  }

  private static ServingIdentity folder(Path folder) {
    try {
      return new ServingIdentity(new FolderIdentity(folder));
    } catch (IOException | GeneralSecurityException unusable) {
      String what =
          unusable instanceof NoSuchFileException none
              ? "there is no " + none.getFile()
              : unusable.getMessage();
      throw CommandFailure.usage(
          "%s: %s; put tls.crt and tls.key into %s, or leave the setting out to have them made"
              .formatted(ConfigKey.CERT_DIR.path(), what, folder));
    }
  }

  private List<MaintenanceSample> counted() {
    return leading.getAsBoolean() ? maintenances.samples() : List.of();
  }

  /** For the numbers of what controllers do. */
  public MaintenanceMetrics metrics() {
    return metrics;
  }

  /** Whom to ask for campaigns; none where another process leads. */
  void count(Supplier<List<CampaignSample>> served) {
    campaigns = served;
  }

  /** Called every sync period, to look at everything again although nothing has changed. */
  public void onSync(Runnable look) {
    looks.add(look);
  }

  void start() {
    maintenances.start();
    keeper.ifPresent(CertificateRotation::start);
    keeper.ifPresent(own -> onSync(own::look));
    serveHealth();
    serveMetrics();
    serveWebhook();
    Thread.ofVirtual().name("sync").start(this::sync);
  }

  private void serveHealth() {
    WebServer health =
        serve(
            WebServer.plain(
                config.health().bindAddress(),
                setting(ConfigKey.HEALTH_BIND_ADDRESS),
                Map.of("/healthz", OperatorServices::tellAlive, "/readyz", this::tellReady)));
    LOG.info("/healthz and /readyz on port {}", health.port());
  }

  private void serveMetrics() {
    Map<String, HttpHandler> pages = Map.of("/metrics", this::tellMetrics);
    int port = config.metrics().port();
    WebServer server =
        serve(
            config.metrics().tls()
                ? WebServer.tls(
                    port, identity.orElseThrow().context(), setting(ConfigKey.METRICS_PORT), pages)
                : WebServer.plain(
                    new InetSocketAddress(port), setting(ConfigKey.METRICS_PORT), pages));
    LOG.info("/metrics on port {}", server.port());
  }

  private void serveWebhook() {
    if (config.webhook().enabled()) {
      Map<String, HttpHandler> pages =
          Map.of(
              NotifyMaintenanceRule.PATH,
              new AdmissionHandler(new NotifyMaintenanceRule(http)),
              CampaignRule.PATH,
              new AdmissionHandler(new CampaignRule(http, Clock.systemUTC())));
      WebServer server =
          serve(
              WebServer.tls(
                  config.webhook().port(),
                  identity.orElseThrow().context(),
                  setting(ConfigKey.WEBHOOK_PORT),
                  pages));
      LOG.info("admission webhook on port {}", server.port());
    }
  }

  private static WebServer.Setting setting(ConfigKey key) {
    return new WebServer.Setting(key.path(), key.flag());
  }

  private WebServer serve(WebServer server) {
    servers.add(server);
    return server;
  }

  private static void tellAlive(HttpExchange exchange) throws IOException {
    WebServer.answer(exchange, HttpURLConnection.HTTP_OK, PLAIN, "ok\n");
  }

  private void tellReady(HttpExchange exchange) throws IOException {
    List<String> missing = missing();
    int code = missing.isEmpty() ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE;
    String text = missing.isEmpty() ? standing() : String.join("\n", missing);
    WebServer.answer(exchange, code, PLAIN, text + "\n");
  }

  private String standing() {
    return leading.getAsBoolean() ? "ok: leading" : "ok: standing by";
  }

  /** Why this process cannot do its part, leading or not. */
  private List<String> missing() {
    List<String> reasons = new ArrayList<>();
    if (closed.getCount() == 0) {
      reasons.add("it is being stopped");
    }
    maintenances.unsynced().ifPresent(why -> reasons.add("the cluster is not seen: " + why));
    if (identity.isPresent() && identity.get().current().isEmpty()) {
      reasons.add("there is no certificate yet");
    }
    return reasons;
  }

  private void tellMetrics(HttpExchange exchange) throws IOException {
    metrics.refresh();
    campaignMetrics.refresh(campaigns.get());
    WebServer.answer(exchange, HttpURLConnection.HTTP_OK, METRICS, registry.scrape());
  }

  private void sync() {
    try {
      long period = config.syncPeriod().toMillis();
      while (!closed.await(period, TimeUnit.MILLISECONDS)) {
        LOG.debug("looking at everything again");
        looks.forEach(Runnable::run);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    if (closed.getCount() == 0) {
      return;
    }
    closed.countDown();
    keeper.ifPresent(CertificateRotation::close);
    servers.forEach(WebServer::close);
    maintenances.close();
    http.close();
  }
}

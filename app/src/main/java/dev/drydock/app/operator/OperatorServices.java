package dev.drydock.app.operator;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.Kube;
import dev.drydock.serve.admission.AdmissionHandler;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.ServerPages;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.Settings;
import dev.drydock.serve.feature.WebhookEndpoint;
import dev.drydock.serve.tls.CertificateRotation;
import dev.drydock.serve.tls.FolderIdentity;
import dev.drydock.serve.tls.ServingIdentity;
import dev.drydock.serve.web.HealthPages;
import dev.drydock.serve.web.MetricsPage;
import dev.drydock.serve.web.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of every operator replica, leader or not: it serves metrics and health, answers the
 * API servers' questions, and keeps its certificates.
 */
final class OperatorServices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorServices.class);

  private final Operator operator;
  private final Kube kube;
  private final Settings settings;
  private final List<WebhookEndpoint> webhooks;
  private final Optional<CertificateRotation> rotation;
  private final Optional<ServingIdentity> identity;
  private final List<Runnable> ends = new ArrayList<>();
  private volatile boolean closed;

  OperatorServices(Operator operator) {
    this.operator = operator;
    kube = operator.context().kube();
    settings = operator.context().settings();
    webhooks =
        settings.get(CoreSettings.WEBHOOK_ENABLED)
            ? operator.parts().stream().flatMap(part -> part.webhooks().stream()).toList()
            : List.of();
    Optional<Path> folder = settings.get(CoreSettings.CERT_DIR);
    boolean secure = !webhooks.isEmpty() || settings.get(CoreSettings.METRICS_TLS);
    rotation =
        secure && folder.isEmpty()
            ? Optional.of(new CertificateRotation(kube, target()))
            : Optional.empty();
    identity =
        rotation
            .map(own -> new ServingIdentity(own::serving))
            .or(() -> folder.filter(any -> secure).map(OperatorServices::identity));
  }

  private CertificateRotation.Target target() {
    return new CertificateRotation.Target(
        operator.context().namespace(),
        settings.get(CoreSettings.WEBHOOK_CERT_SECRET),
        webhooks.stream().map(WebhookEndpoint::configuration).distinct().toList(),
        List.of(settings.get(CoreSettings.WEBHOOK_SERVICE)));
  }

  private static ServingIdentity identity(Path folder) {
    try {
      return new ServingIdentity(new FolderIdentity(folder));
    } catch (IOException | GeneralSecurityException unusable) {
      String what =
          unusable instanceof NoSuchFileException none
              ? "there is no " + none.getFile()
              : unusable.getMessage();
      throw CommandFailure.usage(
          "%s: %s; put tls.crt and tls.key into %s, or remove the setting to use certificates issued by the operator"
              .formatted(CoreSettings.CERT_DIR.path(), what, folder));
    }
  }

  void start() {
    operator.parts().forEach(OperatorPart::start);
    rotation.ifPresent(
        own -> {
          ends.add(own::close);
          own.start();
        });
    ends.add(pages()::close);
    serveWebhooks();
    ends.add(kube.resync(settings.get(CoreSettings.SYNC_PERIOD))::close);
  }

  /** Why this process is not ready, apart from watches that are not in sync. */
  private List<String> unready() {
    List<String> reasons = new ArrayList<>();
    if (closed) {
      reasons.add("shutting down");
    }
    if (identity.isPresent() && identity.get().current().isEmpty()) {
      reasons.add("no serving certificate yet");
    }
    operator.parts().forEach(part -> reasons.addAll(part.unready()));
    return reasons;
  }

  private ServerPages pages() {
    Optional<SSLContext> secure =
        settings.get(CoreSettings.METRICS_TLS)
            ? identity.map(own -> own.context())
            : Optional.empty();
    return new ServerPages(
        new ServerPages.Places(
            new ServerPages.Place(
                Optional.of(new InetSocketAddress(settings.get(CoreSettings.METRICS_PORT)))
                    .filter(_ -> settings.get(CoreSettings.METRICS_ENABLED)),
                setting(CoreSettings.METRICS_PORT),
                secure),
            ServerPages.Place.plain(
                Optional.of(settings.get(CoreSettings.HEALTH_BIND_ADDRESS)),
                setting(CoreSettings.HEALTH_BIND_ADDRESS))),
        new MetricsPage(
            operator.meters(),
            kube.health(),
            () -> operator.parts().forEach(OperatorPart::refreshMetrics)),
        new HealthPages(
            kube.health(), this::unready, () -> operator.isLeading() ? "leading" : "standing by"));
  }

  private void serveWebhooks() {
    if (!webhooks.isEmpty()) {
      Map<String, HttpHandler> pages = new HashMap<>();
      webhooks.forEach(each -> pages.put(each.path(), new AdmissionHandler(each.rule())));
      WebServer server = webhookServer(pages);
      ends.add(server::close);
      LOG.info("admission webhook on port {}", server.port());
    }
  }

  private WebServer webhookServer(Map<String, HttpHandler> pages) {
    Optional<Path> authorities = settings.get(CoreSettings.WEBHOOK_CLIENT_CA);
    int port = settings.get(CoreSettings.WEBHOOK_PORT);
    WebServer.Setting setting = setting(CoreSettings.WEBHOOK_PORT);
    if (authorities.isEmpty()) {
      return WebServer.tls(port, identity.orElseThrow().context(), setting, pages);
    }
    try {
      return WebServer.tls(
          port,
          identity.orElseThrow().context(authorities.get()),
          WebServer.Clients.WITH_CERTIFICATE,
          setting,
          pages);
    } catch (IOException | GeneralSecurityException unusable) {
      throw CommandFailure.usage(
          "%s: cannot use %s: %s; give a file with certificates in PEM, or leave the setting out"
              .formatted(
                  CoreSettings.WEBHOOK_CLIENT_CA.path(), authorities.get(), unusable.getMessage()));
    }
  }

  private static WebServer.Setting setting(Setting<?> setting) {
    return new WebServer.Setting(setting.path(), setting.flag());
  }

  /** Before the operator itself, whose connection it uses. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      ends.reversed().forEach(Runnable::run);
    }
  }
}

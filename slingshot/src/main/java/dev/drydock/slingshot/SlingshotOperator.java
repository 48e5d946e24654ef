package dev.drydock.slingshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CXIDriverSpec;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.drain.LeaderEngine;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Typed;
import dev.drydock.kube.Watch;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.WebhookEndpoint;
import dev.drydock.serve.tls.WebhookConfiguration;
import dev.drydock.slingshot.SlingshotSettings.OriginalImage;
import dev.drydock.slingshot.admission.CXIDriverRule;
import dev.drydock.slingshot.admission.SidecarRule;
import dev.drydock.slingshot.control.CXIDriverController;
import dev.drydock.slingshot.control.UnprotectedPodController;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.InjectionWebhook;
import dev.drydock.slingshot.decide.OriginalImages;
import dev.drydock.slingshot.resource.CxiResources;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * CXI drivers in an operator process: every process answers the API servers' questions and counts,
 * the leader serves the active CXIDriver.
 */
final class SlingshotOperator implements OperatorPart {
  /** The first version whose init containers may keep running without a feature gate. */
  private static final int NATIVE_SIDECARS_FROM = 29;

  private final OperatorContext context;
  private final Watch<ApiObject> drivers;
  private final CxiMetrics metrics;
  private @Nullable Boolean nativeSidecars;

  /** What the leader looks at again when a CXIDriver changes. */
  private volatile Runnable driversChanged = () -> {};

  SlingshotOperator(OperatorContext context) {
    this.context = context;
    drivers =
        context
            .kube()
            .watches()
            .of(
                Watch.Kind.of(CxiResources.DRIVERS.all(), ApiObject::of),
                Watch.Listener.waking(() -> driversChanged.run()));
    metrics =
        new CxiMetrics(
            context.meters(),
            // were all processes to count, sums would be wrong
            () ->
                context.leading().getAsBoolean() ? drivers.state().items() : List.<ApiObject>of());
  }

  @Override
  public void start() {
    var _ = drivers.start();
  }

  private OriginalImages images() {
    return new OriginalImages(
        context.settings().get(SlingshotSettings.IMAGE),
        context.settings().get(SlingshotSettings.ORIGINAL_IMAGES) == OriginalImage.KEEP);
  }

  @Override
  public List<WebhookEndpoint> webhooks() {
    WebhookConfiguration configuration =
        WebhookConfiguration.validating(
            context.settings().get(SlingshotSettings.WEBHOOK_CONFIGURATION));
    Optional<String> sidecar =
        Optional.of(context.settings().get(SlingshotSettings.SIDECAR_IMAGE))
            .filter(image -> !image.isEmpty());
    KubeHttp http = context.kube().http();
    return List.of(
        new WebhookEndpoint(
            configuration,
            CXIDriverRule.PATH,
            new CXIDriverRule(http, context.namespace(), images())),
        // its own configuration comes and goes with the mode, and is written by the leader
        new WebhookEndpoint(
            configuration,
            InjectionWebhook.PATH,
            new SidecarRule(
                this::active,
                images().byDefault(sidecar),
                context.settings().get(SlingshotSettings.IMAGE),
                this::hasNativeSidecars)));
  }

  /** The one with our finalizer; admission reads no ConfigMap for every pod. */
  private Optional<CXIDriverSpec> active() {
    return drivers.state().items().stream()
        .filter(each -> each.hasFinalizer(CxiNames.FINALIZER) && !each.deleted())
        .min(Comparator.comparing(ApiObject::created))
        .map(each -> Typed.read(each.spec(), CXIDriverSpec.class));
  }

  private synchronized boolean hasNativeSidecars() {
    if (nativeSidecars == null) {
      JsonNode version =
          context.kube().http().send(ApiCall.get("/version")).orThrow("version of the cluster");
      String minor = Fields.text(version, "minor").replaceAll("\\D.*", "");
      nativeSidecars = !minor.isEmpty() && Integer.parseInt(minor) >= NATIVE_SIDECARS_FROM;
    }
    return nativeSidecars;
  }

  @Override
  public void refreshMetrics() {
    metrics.refresh();
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    LeaderEngine shared = LeaderEngine.of(context, term);
    CXIDriverController controller =
        new CXIDriverController(
            context.kube(),
            new CXIDriverController.Settings(
                context.namespace(),
                images(),
                context.settings().get(CoreSettings.WEBHOOK_SERVICE),
                context.settings().get(SlingshotSettings.WEBHOOK_CONFIGURATION)),
            shared.engine()::stopped);
    shared.onCord(controller::wake);
    controller.start();
    UnprotectedPodController unprotected =
        new UnprotectedPodController(context.kube(), () -> active().map(EffectiveSpec::of));
    driversChanged = unprotected::wake;
    unprotected.wake();
    return () -> {
      driversChanged = () -> {};
      unprotected.close();
      controller.close();
    };
  }

  @Override
  public void close() {
    drivers.close();
  }
}

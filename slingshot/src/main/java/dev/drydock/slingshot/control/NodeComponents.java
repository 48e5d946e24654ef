package dev.drydock.slingshot.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Resource;
import dev.drydock.slingshot.decide.CxiComponent;
import dev.drydock.slingshot.decide.DriverIdentity;
import dev.drydock.slingshot.decide.DriverStatusDecision.Failure;
import dev.drydock.slingshot.decide.DriverStatusDecision.Readiness;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.InjectionWebhook;
import dev.drydock.slingshot.decide.NodePrograms;
import dev.drydock.slingshot.decide.Tree;
import dev.drydock.slingshot.resource.CxiResources;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What runs on the nodes of a CXIDriver, and the webhook that injects sidecars. */
final class NodeComponents {
  private final CxiCaches caches;
  private final CxiWriter writer;
  private final CXIDriverController.Settings settings;

  NodeComponents(CxiCaches caches, CxiWriter writer, CXIDriverController.Settings settings) {
    this.caches = caches;
    this.writer = writer;
    this.settings = settings;
  }

  /**
   * What was found and done.
   *
   * @param template the hash of the driver agents' pods as they should be
   * @param failure of the first component that could not be written; later ones were not tried
   */
  record Result(
      String template,
      Map<CxiComponent, Readiness> readiness,
      Optional<Failure> failure,
      boolean webhookReady) {}

  Result reconcile(DriverIdentity driver, EffectiveSpec spec) {
    NodePrograms programs = new NodePrograms(driver, spec, settings.images());
    Map<CxiComponent, Map<String, Object>> wanted = programs.wanted();
    Optional<Failure> failure = write(programs, wanted);
    removeAllBut(driver.name(), wanted);
    boolean webhookReady = false;
    try {
      webhookReady = injector(driver, spec);
    } catch (ApiFailure refused) {
      failure = failure.or(() -> failed(CxiComponent.RETRY_HANDLER, refused));
    }
    Map<String, Object> agent =
        Tree.child(
            Tree.child(wanted.getOrDefault(CxiComponent.DRIVER_AGENT, Map.of()), "spec"),
            "template");
    String template =
        Tree.text(Tree.child(Tree.child(agent, "metadata"), "labels"), CxiNames.TEMPLATE_LABEL);
    return new Result(template, readiness(driver.name(), wanted), failure, webhookReady);
  }

  private Optional<Failure> write(
      NodePrograms programs, Map<CxiComponent, Map<String, Object>> wanted) {
    for (Map.Entry<CxiComponent, Map<String, Object>> each : wanted.entrySet()) {
      try {
        if (each.getKey() == CxiComponent.DRIVER_AGENT) {
          writer.apply(CxiResources.SERVICE_ACCOUNTS, caches.accounts, programs.agentAccount());
        }
        writer.apply(Resource.DAEMON_SETS, caches.daemonSets, each.getValue());
      } catch (ApiFailure refused) {
        return failed(each.getKey(), refused);
      }
    }
    return Optional.empty();
  }

  /** What is refused is shown, and holds up nothing else. */
  private static Optional<Failure> failed(CxiComponent component, ApiFailure refused) {
    if (refused.isRetriable()) {
      throw refused;
    }
    return Optional.of(new Failure(component, refused.getMessage()));
  }

  private void removeAllBut(String driver, Map<CxiComponent, Map<String, Object>> wanted) {
    for (ApiObject each : caches.daemonSets.all()) {
      boolean keep =
          driver.equals(each.labels().get(CxiNames.INSTANCE))
              && wanted.keySet().stream()
                  .anyMatch(component -> component.objectName(driver).equals(each.name()));
      if (!keep && !each.deleted()) {
        writer.delete(Resource.DAEMON_SETS, caches.daemonSets, each);
      }
    }
  }

  /** Whether API servers can ask; without the operator's CA they could not trust the answer. */
  private boolean injector(DriverIdentity driver, EffectiveSpec spec) {
    for (ApiObject each : caches.injectors.all()) {
      if (!each.name().equals(InjectionWebhook.objectName(driver.name()))) {
        writer.delete(CxiResources.INJECTORS, caches.injectors, each);
      }
    }
    if (spec.retryHandler().mode() != RetryHandlerMode.sidecar) {
      removeWebhook(driver.name());
      return false;
    }
    Optional<String> authorities =
        caches.validators.all().stream()
            .map(each -> each.root().path("webhooks").path(0).path("clientConfig"))
            .map(client -> Fields.text(client, "caBundle"))
            .filter(text -> !text.isEmpty())
            .findFirst();
    authorities.ifPresent(
        bundle ->
            writer.apply(
                CxiResources.INJECTORS,
                caches.injectors,
                new InjectionWebhook(settings.namespace(), settings.service(), bundle)
                    .configuration(driver)));
    return authorities.isPresent();
  }

  void removeWebhook(String driver) {
    for (ApiObject each : caches.injectors.all()) {
      if (each.name().equals(InjectionWebhook.objectName(driver))) {
        writer.delete(CxiResources.INJECTORS, caches.injectors, each);
      }
    }
  }

  /** Removes what a CXIDriver that is not active any more has on nodes. */
  void remove(String driver) {
    removeWebhook(driver);
    for (ApiObject each : caches.daemonSets.all()) {
      if (driver.equals(each.labels().get(CxiNames.INSTANCE)) && !each.deleted()) {
        writer.delete(Resource.DAEMON_SETS, caches.daemonSets, each);
      }
    }
  }

  private Map<CxiComponent, Readiness> readiness(
      String driver, Map<CxiComponent, Map<String, Object>> wanted) {
    Map<CxiComponent, Readiness> all = new EnumMap<>(CxiComponent.class);
    for (CxiComponent component : wanted.keySet()) {
      Readiness found =
          caches.daemonSets.all().stream()
              .filter(each -> each.name().equals(component.objectName(driver)))
              .findFirst()
              .map(NodeComponents::readiness)
              .orElse(new Readiness(false, 0, 0, 0));
      all.put(component, found);
    }
    return all;
  }

  private static Readiness readiness(ApiObject daemonSet) {
    JsonNode status = daemonSet.status();
    return new Readiness(
        status.path("observedGeneration").asLong(0) >= daemonSet.generation(),
        Fields.count(status, "desiredNumberScheduled"),
        Fields.count(status, "numberReady"),
        Fields.count(status, "updatedNumberScheduled"));
  }
}

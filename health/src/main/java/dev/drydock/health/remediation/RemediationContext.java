package dev.drydock.health.remediation;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.event.SpanId;
import dev.drydock.health.remediation.decide.RemediationAction;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.health.remediation.decide.RemediationDecider;
import dev.drydock.health.resource.KindSchemas;
import dev.drydock.health.resource.RenderedResource;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.template.HealthEventRecord;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the loops of all nodes share.
 *
 * @param documents absent until the event store is open
 * @param stopped why the andon cord keeps new work from beginning, if it does
 */
record RemediationContext(
    Kube kube,
    RemediationConfig config,
    RemediationDecider decider,
    RemediationOptions options,
    RemediationMetrics metrics,
    MaintenanceResources resources,
    KindSchemas schemas,
    Watch<RemediationNodeObject> nodes,
    LatestObjects<RemediationNodeObject> latest,
    Supplier<Optional<DrainedDocuments>> documents,
    Supplier<Optional<String>> stopped) {

  Optional<RemediationNodeObject> node(String name) {
    return latest.find(name);
  }

  /** The resource of an attempt, by the template of its action. */
  RenderedResource render(RemediationAttempt attempt, RemediationAction action, HealthEvent event) {
    String span = SpanId.of(HealthNames.FAULT_REMEDIATION, event.id());
    String trace = event.metadata().getOrDefault(HealthNames.TRACE_ID, "");
    if (action.template().isEmpty()) {
      return RenderedResource.of(config.maintenance().orElseThrow().body(attempt, event))
          .traced(trace, span);
    }
    ResourceTemplate template =
        Objects.requireNonNull(config.templates().get(action.template()), action.template());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("HealthEvent", HealthEventRecord.of(event));
    data.put("HealthEventID", event.id());
    data.put("NodeName", event.nodeName());
    data.put("TraceID", trace);
    data.put("SpanID", span);
    data.put("ImpactedEntityScopeValue", action.entity(event).orElse(""));
    data.put("RecommendedAction", event.recommendedAction().number());
    data.put("RecommendedActionName", event.effectiveAction());
    data.put("ApiGroup", action.kind().apiGroup());
    data.put("Version", action.kind().version());
    data.put("Kind", action.kind().kind());
    data.put("Namespace", action.kind().namespace());
    return template
        .render(data, schemas.of(action.kind().apiVersion(), action.kind().kind()))
        .traced(trace, span);
  }
}

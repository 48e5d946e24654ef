package dev.drydock.health.request;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.request.decide.MaintenanceRequestCheck;
import dev.drydock.health.request.decide.MaintenanceRequestCheck.Candidate;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.serve.admission.AdmissionRule;
import dev.drydock.serve.admission.AdmissionVerdict;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * Checks MaintenanceRequests when they are created, and that what the requester wrote is not
 * changed. Where it is not served, requests are refused: nobody would serve them either.
 */
public final class MaintenanceRequestRule implements AdmissionRule {
  /** The path of the webhook. */
  public static final String PATH = "/validate-nvsentinel-dgxc-nvidia-com-v1-maintenancerequest";

  private final KubeHttp http;
  private final Clock clock;

  public MaintenanceRequestRule(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
  }

  @Override
  public AdmissionVerdict judge(JsonNode request) {
    JsonNode spec = request.path("object").path("spec");
    return switch (text(request, "operation")) {
      case "CREATE" -> created(spec);
      case "UPDATE" ->
          AdmissionVerdict.unless(
              spec.equals(request.path("oldObject").path("spec"))
                  ? List.of()
                  : List.of("spec cannot be changed; delete it and create another one"));
      default -> AdmissionVerdict.ALLOWED;
    };
  }

  private AdmissionVerdict created(JsonNode spec) {
    JsonNode event = spec.path("healthEvent");
    String node = text(event, "nodeName");
    Optional<Instant> start = Optional.empty();
    try {
      start =
          Optional.of(text(spec, "startTime"))
              .filter(time -> !time.isEmpty())
              .map(time -> Fields.capped(OffsetDateTime.parse(time).toInstant()));
    } catch (DateTimeException malformed) {
      return AdmissionVerdict.unless(
          List.of("spec.startTime: not a time such as 2026-01-02T03:04:05Z"));
    }
    return AdmissionVerdict.unless(
        MaintenanceRequestCheck.refusals(
            new Candidate(
                event.isObject(),
                node,
                exists(node),
                event.path("isHealthy").asBoolean(false),
                Fields.count(event, "version"),
                start),
            clock.instant()));
  }

  private boolean exists(String node) {
    return Resource.isName(node) && http.find(Resource.NODES, "", node).isPresent();
  }
}

package dev.drydock.drain.request;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.request.decide.DrainRequestReport;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeHttp;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Writes to DrainRequests. Every write is refused if the request changed since it was read, and
 * returns it as it is then.
 */
final class DrainRequestWriter {
  private final KubeHttp http;
  private final Clock clock;

  DrainRequestWriter(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
  }

  DrainRequestObject finalizers(DrainRequestObject request, List<String> finalizers) {
    ObjectNode patch = unchanged(request);
    ArrayNode list = ((ObjectNode) patch.path("metadata")).putArray("finalizers");
    finalizers.forEach(list::add);
    return send(request, request.path(), patch);
  }

  DrainRequestObject status(DrainRequestObject request, DrainRequestReport report) {
    ObjectNode patch = unchanged(request);
    ObjectNode status = patch.putObject("status");
    ArrayNode conditions = status.putArray("conditions");
    request.conditions().stream()
        .filter(other -> !text(other, "type").equals(DrainRequest.COMPLETE_CONDITION))
        .forEach(conditions::add);
    conditions.add(condition(request, report));
    status.put("podsGone", report.gone());
    // In a merge patch null removes.
    status.put("podsLeft", report.left().isPresent() ? report.left().getAsInt() : null);
    status.put("eta", report.eta().map(Eta::toString).orElse(null));
    status.put("etaAtLeastSeconds", report.eta().map(eta -> seconds(eta.atLeast())).orElse(null));
    status.put(
        "etaAtMostSeconds",
        report.eta().flatMap(Eta::atMost).map(DrainRequestWriter::seconds).orElse(null));
    ArrayNode blockers = status.putArray("blockers");
    report.blockers().forEach(blocker -> add(blockers, blocker));
    return send(request, request.path() + "/status", patch);
  }

  private static Long seconds(Duration time) {
    return time.plusMillis(500).toSeconds();
  }

  private ObjectNode condition(DrainRequestObject request, DrainRequestReport report) {
    String status = report.reason().isComplete() ? "True" : "False";
    String since =
        DrainRequestObject.complete(request.conditions())
            .filter(before -> text(before, "status").equals(status))
            .map(before -> text(before, "lastTransitionTime"))
            .orElseGet(() -> clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    return Json.object()
        .put("type", DrainRequest.COMPLETE_CONDITION)
        .put("status", status)
        .put("reason", report.reason().name())
        .put("message", report.message())
        .put("lastTransitionTime", since)
        .put("observedGeneration", request.facts().generation());
  }

  private static void add(ArrayNode blockers, DrainRequestStatus.Blocker blocker) {
    ObjectNode entry =
        blockers
            .addObject()
            .put("reason", blocker.reason())
            .put("message", blocker.message())
            .put("next", blocker.next());
    ArrayNode pods = entry.putArray("pods");
    if (blocker.pods() != null) {
      blocker.pods().forEach(pods::add);
    }
  }

  private static ObjectNode unchanged(DrainRequestObject request) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", request.uid()).put("resourceVersion", request.version());
    return patch;
  }

  private DrainRequestObject send(DrainRequestObject request, String path, ObjectNode patch) {
    JsonNode after =
        http.send(ApiCall.mergePatch(path, patch.toString())).orThrow("DrainRequest " + request);
    return DrainRequestObject.read(after);
  }
}

package dev.drydock.drain.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.request.decide.DrainRequestReport;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Typed;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Writes to DrainRequests. Every write is refused if the request changed since it was read, and
 * returns it as it is then.
 */
final class DrainRequestWriter {
  private final KubeHttp http;
  private final Clock clock;

  DrainRequestWriter(Kube kube) {
    http = kube.http();
    clock = kube.clock();
  }

  DrainRequestObject finalizers(DrainRequestObject request, List<String> finalizers) {
    return send(unchanged(request).finalizers(finalizers));
  }

  DrainRequestObject status(DrainRequestObject request, DrainRequestReport report) {
    return send(unchanged(request).status(status -> write(status, request, report)));
  }

  private void write(ObjectNode status, DrainRequestObject request, DrainRequestReport report) {
    List<Condition> conditions =
        report.conditions().stream()
            .map(
                each ->
                    Condition.of(
                        each.type(), each.status(), report.reason().name(), report.message()))
            .toList();
    status.set(
        "conditions",
        request
            .object()
            .conditions()
            .with(conditions, request.facts().generation(), clock.instant()));
    status.put("podsGone", report.gone());
    // In a merge patch null removes.
    status.put("podsLeft", report.left().isPresent() ? report.left().getAsInt() : null);
    status.put("eta", report.eta().map(Eta::toString).orElse(null));
    status.put("etaAtLeastSeconds", report.eta().map(eta -> seconds(eta.atLeast())).orElse(null));
    status.put(
        "etaAtMostSeconds",
        report.eta().flatMap(Eta::atMost).map(DrainRequestWriter::seconds).orElse(null));
    status.set("blockers", Typed.tree(report.blockers()));
  }

  private static Long seconds(Duration time) {
    return time.plusMillis(500).toSeconds();
  }

  private static Patch unchanged(DrainRequestObject request) {
    return Patch.ifUnchanged(DrainRequestObject.RESOURCE, request.object());
  }

  private DrainRequestObject send(Patch patch) {
    return DrainRequestObject.read(patch.send(http));
  }
}

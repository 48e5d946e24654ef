package dev.drydock.health.condition;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.condition.ConditionMetrics.Status;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Failures that are not fatal, as Events of their node. An Event that says the same is counted
 * instead, and a repeat within minutes writes nothing. Thread-safe.
 */
final class FaultEvents {
  private static final String NAMESPACE = "default";
  private static final int MOST_NAMES = 1024;
  private static final Duration QUIET = Duration.ofMinutes(10);
  private static final FaultCondition.Lengths LENGTHS = new FaultCondition.Lengths(1000, 72);

  private final Kube kube;
  private final ConditionMetrics metrics;
  private final Map<Said, Written> written = new LinkedHashMap<>();

  private record Said(String node, String type, String message) {}

  private record Written(String name, int count, Instant at) {}

  FaultEvents(Kube kube, ConditionMetrics metrics) {
    this.kube = kube;
    this.metrics = metrics;
  }

  /**
   * @param created when the event was stored, which gives the Event its name: the same when it
   *     comes again after a restart
   */
  void record(HealthEvent event, Instant created) {
    FaultCondition failure = FaultCondition.healthy(event.checkName()).after(event);
    Said said = new Said(event.nodeName(), failure.type(), failure.message(LENGTHS));
    Written before = find(said);
    Instant now = kube.clock().instant();
    if (before != null && now.isBefore(before.at().plus(QUIET))) {
      metrics.event("update", Status.SKIPPED);
      return;
    }
    KubeAnswer answer = before == null ? create(said, event, created) : again(before, now);
    if (before != null && answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      answer = create(said, event, now); // the cluster forgets Events after an hour
      before = null;
    }
    boolean there = answer.code() == HttpURLConnection.HTTP_CONFLICT;
    boolean ok = answer.ok() || there;
    String operation = before == null ? "create" : "update";
    metrics.event(operation, ok ? Status.SUCCESS : Status.FAILED);
    metrics.eventTook(Duration.between(now, kube.clock().instant()));
    if (!ok) {
      var _ = answer.orThrow("Event about node " + event.nodeName());
    }
    String name = before == null ? name(said, created) : before.name();
    put(said, new Written(name, before == null ? 1 : before.count() + 1, now));
  }

  private synchronized @Nullable Written find(Said said) {
    return written.get(said);
  }

  private synchronized void put(Said said, Written now) {
    written.remove(said);
    written.put(said, now);
    if (written.size() > MOST_NAMES) {
      written.remove(written.keySet().iterator().next());
    }
  }

  private static String name(Said said, Instant at) {
    long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, at);
    return said.node() + "." + Long.toHexString(nanos);
  }

  private KubeAnswer create(Said said, HealthEvent event, Instant created) {
    Instant time = event.generatedTimestamp() == null ? created : event.generatedTimestamp();
    String seconds = time.truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode object = Json.object();
    object.put("apiVersion", "v1").put("kind", "Event");
    object.putObject("metadata").put("name", name(said, created)).put("namespace", NAMESPACE);
    object
        .putObject("involvedObject")
        .put("kind", "Node")
        .put("name", said.node())
        .put("uid", said.node());
    object.put("type", said.type()).put("reason", said.type() + "IsNotHealthy");
    object.put("message", said.message()).put("count", 1);
    object.put("firstTimestamp", seconds).put("lastTimestamp", seconds);
    object.putObject("source").put("component", event.agent()).put("host", said.node());
    object.put("reportingComponent", event.agent()).put("reportingInstance", said.node());
    return kube.http()
        .send(ApiCall.create(Resource.EVENTS.collection(NAMESPACE), object.toString()));
  }

  private KubeAnswer again(Written before, Instant now) {
    ObjectNode patch = Json.object();
    patch.put("count", before.count() + 1);
    patch.put("lastTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
    return kube.http()
        .send(ApiCall.mergePatch(Resource.EVENTS.path(NAMESPACE, before.name()), patch.toString()));
  }
}

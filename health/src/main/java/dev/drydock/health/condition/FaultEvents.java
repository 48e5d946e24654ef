package dev.drydock.health.condition;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.condition.ConditionMetrics.Status;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.nodeevent.CountedEvents;
import dev.drydock.kube.Kube;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Failures that are not fatal, as Events of their node. An Event that says the same is counted
 * instead, and a repeat within minutes writes nothing. Thread-safe.
 */
final class FaultEvents {
  private static final int MOST_KEPT = 1024;
  private static final int MOST_NODES = 10_000;

  /** Each Event is an object in the cluster for an hour; so a node has few new ones. */
  private static final int MOST_AT_ONCE = 25;

  private static final Duration PER_EVENT = Duration.ofSeconds(30);
  private static final FaultCondition.Lengths LENGTHS = new FaultCondition.Lengths(1000, 72);

  private final Kube kube;
  private final ConditionMetrics metrics;
  private final CountedEvents<Said> events;
  private final Map<String, Allowance> allowances = new LinkedHashMap<>();

  private record Said(String node, String type, String message) {}

  /** How many new Events a node may have now, besides those that time brings. */
  private record Allowance(double left, Instant at) {
    private Allowance at(Instant now) {
      double more = Duration.between(at, now).toMillis() / (double) PER_EVENT.toMillis();
      return new Allowance(Math.min(MOST_AT_ONCE, left + Math.max(0, more)), now);
    }
  }

  FaultEvents(Kube kube, ConditionMetrics metrics) {
    this.kube = kube;
    this.metrics = metrics;
    events = new CountedEvents<>(kube, MOST_KEPT);
  }

  /**
   * @param created when the event was stored, which gives the Event its name: the same when it
   *     comes again after a restart
   */
  void record(HealthEvent event, Instant created) {
    FaultCondition failure = FaultCondition.healthy(event.checkName()).after(event);
    Said said = new Said(event.nodeName(), failure.type(), failure.message(LENGTHS));
    Instant now = kube.clock().instant();
    if (events.isQuiet(said, now)) {
      metrics.event("update", Status.SKIPPED);
      return;
    }
    if (!events.isKnown(said) && !isAllowed(event.nodeName(), now)) {
      metrics.dropped("node_event", "too_many_events");
      return;
    }
    CountedEvents.Result result =
        events.record(said, now, anew -> event(said, event, anew ? now : created));
    metrics.event(
        result.created() ? "create" : "update", result.ok() ? Status.SUCCESS : Status.FAILED);
    metrics.eventTook(Duration.between(now, kube.clock().instant()));
    if (!result.ok()) {
      var _ = result.answer().orThrow("Event about node " + event.nodeName());
    }
  }

  private synchronized boolean isAllowed(String node, Instant now) {
    Allowance before = allowances.remove(node);
    Allowance present = before == null ? new Allowance(MOST_AT_ONCE, now) : before.at(now);
    boolean allowed = present.left() >= 1;
    allowances.put(node, allowed ? new Allowance(present.left() - 1, now) : present);
    if (allowances.size() > MOST_NODES) {
      allowances.remove(allowances.keySet().iterator().next());
    }
    return allowed;
  }

  /** Stores keep microseconds, in which several may come: the rest tells them apart. */
  private static String name(Said said, Instant at) {
    long nanos =
        ChronoUnit.NANOS.between(Instant.EPOCH, at.truncatedTo(ChronoUnit.MICROS))
            + Math.floorMod((said.type() + said.message()).hashCode(), 1000);
    return said.node() + "." + Long.toHexString(nanos);
  }

  private static ObjectNode event(Said said, HealthEvent event, Instant created) {
    Instant time = event.generatedTimestamp() == null ? created : event.generatedTimestamp();
    ObjectNode object = CountedEvents.about(said.node(), said.node(), time);
    object.withObject("/metadata").put("name", name(said, created));
    object.put("type", said.type()).put("reason", FaultCondition.reason(said.type(), true));
    object.put("message", said.message());
    object.putObject("source").put("component", event.agent()).put("host", said.node());
    return object.put("reportingComponent", event.agent()).put("reportingInstance", said.node());
  }
}

package dev.drydock.drain.hold;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.NodeFacts;
import dev.drydock.drain.engine.decide.NodeWork;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.Fields;
import dev.drydock.kube.ResourceVersion;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A Node as it was read: what decisions need, and what writing back needs.
 *
 * @param version its resourceVersion
 * @param holdsText the text of the annotation
 */
public record DrainNodeObject(
    NodeFacts facts,
    String uid,
    String version,
    Optional<String> holdsText,
    Map<String, Condition> conditions) {
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  /** One of the node's conditions. */
  public record Condition(String status, String reason, Instant since) {
    boolean isTrue() {
      return status.equals("True");
    }
  }

  public DrainNodeObject {
    conditions = Map.copyOf(conditions);
  }

  public static DrainNodeObject read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    JsonNode spec = node.path("spec");
    Map<String, Condition> conditions = new TreeMap<>();
    for (JsonNode condition : node.path("status").path("conditions")) {
      conditions.put(
          text(condition, "type"),
          new Condition(
              text(condition, "status"),
              text(condition, "reason"),
              Fields.time(condition, "lastTransitionTime")));
    }
    NodeFacts facts =
        new NodeFacts(
            text(metadata, "name"),
            true,
            spec.path("unschedulable").asBoolean(false),
            unreachableSince(conditions, taint(spec, UNREACHABLE)),
            !taint(spec, OUT_OF_SERVICE).isMissingNode());
    JsonNode holds = metadata.path("annotations").path(HoldsAnnotation.NAME);
    return new DrainNodeObject(
        facts,
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        holds.isTextual() ? Optional.of(holds.asText()) : Optional.empty(),
        conditions);
  }

  public String name() {
    return facts.name();
  }

  /**
   * Who keeps the node out of service.
   *
   * @throws HoldsUnreadable when the annotation is not what Drydock writes
   */
  public Holds holds() {
    return HoldsAnnotation.read(name(), holdsText, facts.unschedulable());
  }

  /** The facts with the work that the holds name; none while the holds cannot be read. */
  public NodeFacts factsWithWork() {
    try {
      return facts.worked(
          holds().byHolder().values().stream()
              .flatMap(hold -> hold.work().map(work -> work(hold, work)).stream())
              .toList());
    } catch (HoldsUnreadable unreadable) {
      return facts; // no drain acts on such a node
    }
  }

  private static NodeWork work(Hold hold, Hold.Work work) {
    return new NodeWork(hold.holder(), work.namespace(), work.job(), work.uid());
  }

  public boolean isNewerThan(DrainNodeObject other) {
    return ResourceVersion.isNewer(version, other.version);
  }

  private static Optional<Instant> unreachableSince(
      Map<String, Condition> conditions, JsonNode taint) {
    Condition ready = conditions.get("Ready");
    if (ready != null && ready.status().equals("Unknown")) {
      return Optional.of(ready.since());
    }
    return taint.hasNonNull("timeAdded")
        ? Optional.of(Fields.time(taint, "timeAdded"))
        : Optional.empty();
  }

  private static JsonNode taint(JsonNode spec, String key) {
    for (JsonNode taint : spec.path("taints")) {
      if (text(taint, "key").equals(key)) {
        return taint;
      }
    }
    return spec.path("taints").path(key);
  }
}

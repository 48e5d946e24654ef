package dev.drydock.drain.hold;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.drain.hold.decide.NodeWork;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Versioned;
import java.time.Instant;
import java.util.Optional;

/**
 * A Node as it was read: what decisions need, and what writing back needs.
 *
 * @param version its resourceVersion
 * @param holdsText the text of the annotation
 * @param conditions those about drains only
 */
public record DrainNodeObject(
    NodeFacts facts, String uid, String version, Optional<String> holdsText, Conditions conditions)
    implements Versioned {
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  public static DrainNodeObject read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    JsonNode spec = node.path("spec");
    Conditions conditions = Conditions.of(node.path("status"));
    NodeFacts facts =
        new NodeFacts(
                text(metadata, "name"),
                true,
                spec.path("unschedulable").asBoolean(false),
                unreachableSince(conditions, taint(spec, UNREACHABLE)),
                !taint(spec, OUT_OF_SERVICE).isMissingNode())
            .identified(text(metadata, "uid"));
    JsonNode holds = metadata.path("annotations").path(HoldsAnnotation.NAME);
    return new DrainNodeObject(
        facts,
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        holds.isTextual() ? Optional.of(holds.asText()) : Optional.empty(),
        DrainConditions.only(conditions));
  }

  public String name() {
    return facts.name();
  }

  /** The identity of the Node, which is all that a write needs. */
  ApiObject object() {
    return ApiObject.identified("", name(), uid, version);
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

  private static Optional<Instant> unreachableSince(Conditions conditions, JsonNode taint) {
    Optional<JsonNode> unknown =
        conditions.get("Ready").filter(ready -> text(ready, "status").equals("Unknown"));
    if (unknown.isPresent()) {
      return Optional.of(Fields.time(unknown.get(), "lastTransitionTime"));
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

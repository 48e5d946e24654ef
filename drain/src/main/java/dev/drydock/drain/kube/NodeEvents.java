package dev.drydock.drain.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.decide.Hold;
import dev.drydock.drain.decide.Holds;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people about a node by Events. Best effort: a lost Event is logged and changes nothing. */
final class NodeEvents {
  private static final Logger LOG = LoggerFactory.getLogger(NodeEvents.class);

  /** The API takes exactly six digits. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private static final int LONGEST_NOTE = 1000;

  /** What an Event of Drydock on a Node can be about: a closed set, part of the API. */
  enum Reason {
    HoldPlaced("Normal", "Hold"),
    HoldChanged("Normal", "Hold"),
    HoldReleased("Normal", "Release"),
    HoldExpired("Normal", "Release"),
    HoldDropped("Warning", "Release"),
    HoldForced("Warning", "Release"),
    BudgetBypassed("Warning", "Drain"),
    PodForceDeleted("Warning", "Drain"),
    TaintedOutOfService("Warning", "Drain");

    private final String type;
    private final String action;

    Reason(String type, String action) {
      this.type = type;
      this.action = action;
    }
  }

  private final KubeHttp http;
  private final Clock clock;

  NodeEvents(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
  }

  void tell(NodeSeen node, Holds.Notice notice) {
    Hold hold = notice.hold();
    String who = hold.holder() + (hold.reason().isEmpty() ? "" : " (" + hold.reason() + ")");
    switch (notice.what()) {
      case PLACED -> tell(node, Reason.HoldPlaced, "held by " + who);
      case CHANGED -> tell(node, Reason.HoldChanged, "now held by " + who);
      case RELEASED -> tell(node, Reason.HoldReleased, "no longer held by " + who);
      case EXPIRED -> tell(node, Reason.HoldExpired, "the time is over of " + who);
      case DROPPED ->
          tell(node, Reason.HoldDropped, "somebody uncordoned the node, so it lost " + who);
      case FORCED -> tell(node, Reason.HoldForced, "somebody released all holds, also " + who);
    }
  }

  void tell(NodeSeen node, Reason reason, String note) {
    ObjectNode event = Json.object();
    event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
    event.putObject("metadata").put("generateName", node.name() + "-").put("namespace", "default");
    event.put("eventTime", MICROS.format(Instant.now(clock)));
    event.put("reportingController", "drydock.dev").put("reportingInstance", "drydock");
    event.put("action", reason.action).put("reason", reason.name()).put("type", reason.type);
    event.put("note", note.length() > LONGEST_NOTE ? note.substring(0, LONGEST_NOTE) : note);
    event
        .putObject("regarding")
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", node.name())
        .put("uid", node.uid());
    KubeAnswer answer = http.send(ApiCall.create(Paths.EVENTS, event.toString()));
    if (!answer.ok()) {
      LOG.warn("no Event {} on node {}: {}", reason, node.name(), answer.message());
    }
  }
}

package dev.drydock.health.drainer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.health.nodeevent.CountedEvents;
import dev.drydock.kube.Kube;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events of nodes about their drains. One that says the same is counted instead, and a repeat
 * within minutes writes nothing. Best effort.
 */
final class NodeDrainEvents {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDrainEvents.class);
  private static final int MOST_KEPT = 4096;

  /** The API server refuses more than 1,024 bytes. */
  private static final int LONGEST = 1000;

  private final Kube kube;
  private final CountedEvents<Said> events;

  /** What is said; a closed set of reasons. */
  enum Reason {
    AwaitingPodCompletion(false),
    WaitingBeforeForceDelete(false),
    EvictionBlocked(true),
    DevicesUnknown(true),
    DrainWaiting(true),
    GracePeriodShortened(true),
    PodsLeftBehind(true),
    CustomDrainRequested(false),
    CustomDrainWaiting(true),
    CustomDrainTimeout(true),
    DrainSucceeded(false),
    DrainFailed(true),
    DrainCancelled(false);

    private final boolean warning;

    Reason(boolean warning) {
      this.warning = warning;
    }
  }

  private record Said(String node, Reason reason, String message) {}

  NodeDrainEvents(Kube kube) {
    this.kube = kube;
    events = new CountedEvents<>(kube, MOST_KEPT);
  }

  void record(QuarantinedNode node, Reason reason, String message) {
    Said said = new Said(node.name(), reason, ShortText.bytes(message, LONGEST));
    Instant now = kube.clock().instant();
    if (events.isQuiet(said, now)) {
      return;
    }
    CountedEvents.Result result = events.record(said, now, _ -> event(said, node.uid(), now));
    if (!result.ok()) {
      LOG.warn(
          "cannot record Event {} on node {}: {}", reason, node.name(), result.answer().message());
    }
  }

  private static ObjectNode event(Said said, String uid, Instant now) {
    ObjectNode event = CountedEvents.about(said.node(), uid, now);
    event.withObject("/metadata").put("generateName", said.node() + "-");
    event.put("type", said.reason().warning ? "Warning" : "Normal");
    event.put("reason", said.reason().name()).put("message", said.message());
    event.putObject("source").put("component", NodeDrainerNames.COMPONENT);
    return event.put("reportingComponent", NodeDrainerNames.COMPONENT).put("reportingInstance", "");
  }
}

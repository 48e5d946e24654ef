package dev.drydock.drain.engine;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.seconds;
import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodFacts.Phase;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Interner;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a Pod. What only its owner knows, such as whether a DaemonSet exists, is added later. */
final class PodReader {
  private static final Logger LOG = LoggerFactory.getLogger(PodReader.class);

  /** What the API server fills in. */
  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** Pods of a controller have the same labels and owner, and pods of a node its name. */
  private static final Interner SHARED = new Interner();

  private PodReader() {}

  static PodFacts read(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode spec = pod.path("spec");
    JsonNode status = pod.path("status");
    PodFacts.Builder facts =
        PodFacts.named(
                SHARED.intern(text(metadata, "namespace")),
                text(metadata, "name"),
                text(metadata, "uid"))
            .on(SHARED.intern(text(spec, "nodeName")))
            .labels(SHARED.intern(Map.copyOf(texts(metadata.path("labels")))))
            .phase(phase(text(status, "phase")))
            .ready(isTrue(condition(status, "Ready")))
            .finalizers(SHARED.intern(List.copyOf(list(metadata.path("finalizers")))))
            .mirror(metadata.path("annotations").has(MIRROR))
            .emptyDir(hasEmptyDir(spec.path("volumes")))
            .priority(spec.path("priority").asInt(0))
            .terminationGrace(seconds(spec, "terminationGracePeriodSeconds").orElse(DEFAULT_GRACE))
            .created(time(metadata, "creationTimestamp"))
            .resources(SHARED.intern(resources(spec)));
    if (metadata.hasNonNull("deletionTimestamp")) {
      facts.terminating(
          time(metadata, "deletionTimestamp"),
          seconds(metadata, "deletionGracePeriodSeconds").orElse(Duration.ZERO));
    }
    if (status.hasNonNull("startTime")) {
      facts.started(time(status, "startTime"));
    }
    seconds(spec, "activeDeadlineSeconds").ifPresent(facts::activeDeadline);
    addEnds(facts, metadata, status);
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean(false)) {
        facts.controller(
            SHARED.intern(
                new Owner(
                    text(owner, "apiVersion"),
                    text(owner, "kind"),
                    text(owner, "name"),
                    text(owner, "uid"))));
      }
    }
    return facts.build();
  }

  /** The containers' own times are not kept; a pod that has run to its end says when by this. */
  private static void addEnds(PodFacts.Builder facts, JsonNode metadata, JsonNode status) {
    JsonNode ready = condition(status, "Ready");
    if (text(ready, "reason").equals("PodCompleted")) {
      facts.finishedAt(time(ready, "lastTransitionTime"));
    }
    String announced = text(metadata.path("annotations"), CampaignNames.SLINKY_POD_DEADLINE);
    if (!announced.isEmpty()) {
      try {
        facts.announcedEnd(Fields.capped(OffsetDateTime.parse(announced).toInstant()));
      } catch (DateTimeException unreadable) {
        LOG.debug("pod {}: its deadline is not a time", text(metadata, "name"), unreadable);
      }
    }
  }

  private static Phase phase(String name) {
    return switch (name) {
      case "Pending" -> Phase.PENDING;
      case "Running" -> Phase.RUNNING;
      case "Succeeded" -> Phase.SUCCEEDED;
      case "Failed" -> Phase.FAILED;
      default -> Phase.UNKNOWN;
    };
  }

  private static Set<String> resources(JsonNode spec) {
    Set<String> names = new HashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.path(list)) {
        JsonNode resources = container.path("resources");
        resources.path("requests").fieldNames().forEachRemaining(names::add);
        resources.path("limits").fieldNames().forEachRemaining(names::add);
      }
    }
    return Set.copyOf(names);
  }

  private static boolean hasEmptyDir(JsonNode volumes) {
    for (JsonNode volume : volumes) {
      if (volume.hasNonNull("emptyDir")) {
        return true;
      }
    }
    return false;
  }

  /** A missing node if there is no condition of that type. */
  static JsonNode condition(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (text(condition, "type").equals(type)) {
        return condition;
      }
    }
    return status.path("conditions").path(type);
  }

  static boolean isTrue(JsonNode condition) {
    return text(condition, "status").equals("True");
  }
}

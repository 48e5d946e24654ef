package dev.drydock.drain.engine;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.seconds;
import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodDevices;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodFacts.Phase;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Interner;
import dev.drydock.kube.Json;
import dev.drydock.kube.KeptSize;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a Pod, however large: one that could not be read would hold up the drain of its node. What
 * only its owner knows, such as whether a DaemonSet exists, is added later.
 */
final class PodReader {
  private static final Logger LOG = LoggerFactory.getLogger(PodReader.class);

  /** What the API server fills in. */
  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

  /**
   * Of what a pod's labels and resources take, and its devices: some times what a pod needs, and so
   * little that thousands of pods of a tenant can be kept.
   */
  private static final int MOST_KEPT = 16 * 1024;

  private static final int MOST_FINALIZERS = 10;
  private static final int LONGEST_OWNER = 320;

  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** Pods of a controller have the same labels and owner, and pods of a node its name. */
  private static final Interner SHARED = new Interner();

  private PodReader() {}

  static PodFacts read(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode spec = pod.path("spec");
    JsonNode status = pod.path("status");
    Map<String, String> labels = texts(metadata.path("labels"));
    Set<String> resources = resources(spec);
    boolean reduced =
        KeptSize.of(labels.keySet()) + KeptSize.of(labels.values()) + KeptSize.of(resources)
            > MOST_KEPT;
    PodFacts.Builder facts =
        PodFacts.named(
                SHARED.intern(text(metadata, "namespace")),
                text(metadata, "name"),
                text(metadata, "uid"))
            .on(SHARED.intern(text(spec, "nodeName")))
            .labels(reduced ? Map.of() : SHARED.intern(Map.copyOf(labels)))
            .phase(phase(text(status, "phase")))
            .ready(isTrue(condition(status, "Ready")))
            .finalizers(SHARED.intern(finalizers(metadata)))
            .mirror(metadata.path("annotations").has(MIRROR))
            .emptyDir(hasEmptyDir(spec.path("volumes")))
            .priority(spec.path("priority").asInt(0))
            .terminationGrace(seconds(spec, "terminationGracePeriodSeconds").orElse(DEFAULT_GRACE))
            .created(time(metadata, "creationTimestamp"))
            .resources(reduced ? Set.of() : SHARED.intern(resources))
            .reduced(reduced);
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
    addDevices(facts, metadata);
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean(false)) {
        facts.controller(
            SHARED.intern(
                new Owner(
                    ownerText(owner, "apiVersion"),
                    ownerText(owner, "kind"),
                    ownerText(owner, "name"),
                    ownerText(owner, "uid"))));
      }
    }
    return facts.build();
  }

  /** That there are any decides; the first of them are named. */
  private static List<String> finalizers(JsonNode metadata) {
    return List.copyOf(list(metadata.path("finalizers")).stream().limit(MOST_FINALIZERS).toList());
  }

  /** The API server does not limit them. What is longer than any name is that of no object. */
  private static String ownerText(JsonNode owner, String field) {
    return ShortText.of(text(owner, field), LONGEST_OWNER);
  }

  /** The containers' own times are not kept; a pod that has run to its end says when by this. */
  private static void addEnds(PodFacts.Builder facts, JsonNode metadata, JsonNode status) {
    JsonNode ready = condition(status, "Ready");
    if (text(ready, "reason").equals("PodCompleted")) {
      facts.finishedAt(time(ready, "lastTransitionTime"));
    }
    if (text(ready, "status").equals("False") && ready.hasNonNull("lastTransitionTime")) {
      facts.notReadySince(time(ready, "lastTransitionTime"));
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

  private static void addDevices(PodFacts.Builder facts, JsonNode metadata) {
    String text = text(metadata.path("annotations"), HealthNames.DEVICES_ANNOTATION);
    if (text.isEmpty()) {
      return;
    }
    Set<String> ids = new HashSet<>();
    boolean known = false;
    try {
      JsonNode devices = Json.read(text).path("devices");
      known = devices.isObject();
      devices.forEach(each -> ids.addAll(list(each)));
    } catch (IOException unreadable) {
      LOG.debug("pod {}: its devices cannot be read", text(metadata, "name"), unreadable);
    }
    boolean kept = KeptSize.of(ids) <= MOST_KEPT;
    facts.devices(new PodDevices(known && kept, kept ? ids : Set.of()));
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

package dev.drydock.drain.kube;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.decide.Owner;
import dev.drydock.drain.decide.PodFacts;
import dev.drydock.drain.decide.PodFacts.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a Pod. What only its owner knows, such as whether a DaemonSet exists, is added later. */
final class PodReader {
  private static final String MIRROR = "kubernetes.io/config.mirror";

  private PodReader() {}

  static PodFacts read(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode spec = pod.path("spec");
    JsonNode status = pod.path("status");
    PodFacts.Builder facts =
        PodFacts.named(text(metadata, "namespace"), text(metadata, "name"), text(metadata, "uid"))
            .on(text(spec, "nodeName"))
            .labels(texts(metadata.path("labels")))
            .phase(phase(text(status, "phase")))
            .ready(isTrue(condition(status, "Ready")))
            .finalizers(list(metadata.path("finalizers")))
            .mirror(metadata.path("annotations").has(MIRROR))
            .emptyDir(hasEmptyDir(spec.path("volumes")))
            .priority(spec.path("priority").asInt(0))
            .terminationGrace(
                Duration.ofSeconds(spec.path("terminationGracePeriodSeconds").asLong(30)))
            .created(time(metadata, "creationTimestamp"));
    if (metadata.hasNonNull("deletionTimestamp")) {
      facts.terminating(
          time(metadata, "deletionTimestamp"),
          Duration.ofSeconds(metadata.path("deletionGracePeriodSeconds").asLong(0)));
    }
    if (status.hasNonNull("startTime")) {
      facts.started(time(status, "startTime"));
    }
    if (spec.hasNonNull("activeDeadlineSeconds")) {
      facts.activeDeadline(Duration.ofSeconds(spec.path("activeDeadlineSeconds").asLong()));
    }
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean(false)) {
        facts.controller(
            new Owner(
                text(owner, "apiVersion"),
                text(owner, "kind"),
                text(owner, "name"),
                text(owner, "uid")));
      }
    }
    return facts.build();
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

  static String text(JsonNode object, String field) {
    return object.path(field).asText("");
  }

  static Instant time(JsonNode object, String field) {
    String text = text(object, field);
    return text.isEmpty() ? Instant.EPOCH : time(text);
  }

  /**
   * Objects carry many times, all of them in whole seconds of UTC: reading these by place costs a
   * fraction of the general parser, which every pod of a short drain would meet uncompiled.
   */
  static Instant time(String text) {
    boolean plain = text.length() == 20 && text.charAt(10) == 'T' && text.charAt(19) == 'Z';
    if (!plain || !isDigits(text, 0, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19)) {
      return Instant.parse(text);
    }
    LocalDate day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
    int hour = number(text, 11, 13);
    int minute = number(text, 14, 16);
    int second = number(text, 17, 19);
    if (hour > 23 || minute > 59 || second > 59) {
      return Instant.parse(text);
    }
    return Instant.ofEpochSecond(((day.toEpochDay() * 24 + hour) * 60 + minute) * 60 + second);
  }

  private static boolean isDigits(String text, int... ranges) {
    for (int i = 0; i < ranges.length; i += 2) {
      for (int at = ranges[i]; at < ranges[i + 1]; at++) {
        if (text.charAt(at) < '0' || text.charAt(at) > '9') {
          return false;
        }
      }
    }
    return true;
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  static Map<String, String> texts(JsonNode object) {
    Map<String, String> map = new HashMap<>();
    object.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asText("")));
    return map;
  }

  static List<String> list(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText("")));
    return texts;
  }
}

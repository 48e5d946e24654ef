package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt.Stage;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Job that works on a node or proves it fit.
 *
 * @param maintenance the UID of whose Job it is
 */
record JobObject(
    String namespace,
    String name,
    String maintenance,
    String node,
    Instant created,
    Purpose purpose,
    Attempt attempt) {
  static final String MAINTENANCE = "drydock.dev/maintenance";
  static final String PURPOSE = "drydock.dev/purpose";
  static final String ATTEMPT = "drydock.dev/attempt";
  static final String NODE = "drydock.dev/node";

  static final Source ALL = Resource.JOBS.all().labelSelector(MAINTENANCE + "," + ATTEMPT);

  /** Null for one that we did not make. */
  static @Nullable JobObject read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    Map<String, String> labels = texts(metadata.path("labels"));
    String number = labels.getOrDefault(ATTEMPT, "");
    if (!number.matches("\\d{1,4}")) {
      return null;
    }
    return new JobObject(
        text(metadata, "namespace"),
        text(metadata, "name"),
        labels.getOrDefault(MAINTENANCE, ""),
        texts(metadata.path("annotations")).getOrDefault(NODE, ""),
        time(metadata, "creationTimestamp"),
        labels.getOrDefault(PURPOSE, "").equals(word(Purpose.WORK)) ? Purpose.WORK : Purpose.PROOF,
        attempt(object, Integer.parseInt(number)));
  }

  static String word(Purpose purpose) {
    return purpose.name().toLowerCase(Locale.ROOT);
  }

  private static Attempt attempt(JsonNode object, int number) {
    String name = text(object.path("metadata"), "name");
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (!text(condition, "status").equals("True")) {
        continue;
      }
      Instant at = time(condition, "lastTransitionTime");
      if (text(condition, "type").equals("Complete")) {
        return new Attempt(number, name, Stage.SUCCEEDED, at, "");
      }
      if (text(condition, "type").equals("Failed")) {
        return new Attempt(
            number,
            name,
            Stage.FAILED,
            at,
            "%s: %s".formatted(text(condition, "reason"), text(condition, "message")));
      }
    }
    return new Attempt(number, name, Stage.RUNNING, Instant.EPOCH, "");
  }
}

package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt.Stage;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.ClassAutomationStep.Run;
import dev.drydock.maintenance.decide.MaintenanceFacts.Identity;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Job that says that it works on a node or proves it fit. Its labels only find it: whoever may
 * create Jobs may write them, so whose it is {@link #isOf} says.
 *
 * @param owner the NotifyMaintenance that controls it; its UID and name are empty if none does
 */
record JobObject(
    String namespace,
    String name,
    String uid,
    Owner owner,
    String node,
    Instant created,
    Purpose purpose,
    Attempt attempt) {
  static final String MAINTENANCE = "drydock.dev/maintenance";
  static final String PURPOSE = "drydock.dev/purpose";
  static final String ATTEMPT = "drydock.dev/attempt";
  static final String NODE = "drydock.dev/node";

  static final Source ALL = Resource.JOBS.all().labelSelector(MAINTENANCE + "," + ATTEMPT);

  /** The NotifyMaintenance that a Job names as its controller. */
  record Owner(String uid, String name) {}

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
        text(metadata, "uid"),
        owner(metadata),
        texts(metadata.path("annotations")).getOrDefault(NODE, ""),
        time(metadata, "creationTimestamp"),
        labels.getOrDefault(PURPOSE, "").equals(word(Purpose.WORK)) ? Purpose.WORK : Purpose.PROOF,
        attempt(object, Integer.parseInt(number)));
  }

  private static Owner owner(JsonNode metadata) {
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean()
          && text(owner, "kind").equals(NotifyMaintenance.KIND)) {
        return new Owner(text(owner, "uid"), text(owner, "name"));
      }
    }
    return new Owner("", "");
  }

  /** Whether it is a maintenance's own: by namespace, exact name and owner. */
  boolean isOf(Identity maintenance) {
    return namespace.equals(maintenance.namespace())
        && owner.uid().equals(maintenance.uid())
        && name.equals(JobTemplate.name(maintenance, new Run(purpose, attempt.number())));
  }

  boolean isRunning() {
    return attempt.stage() == Stage.RUNNING;
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

  @Override
  public String toString() {
    return "Job %s/%s".formatted(namespace, name);
  }
}

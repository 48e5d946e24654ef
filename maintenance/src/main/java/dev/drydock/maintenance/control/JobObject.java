package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.start;
import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Fields;
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
import java.util.Optional;
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
        owner(object),
        Fields.name(metadata.path("annotations"), NODE),
        time(metadata, "creationTimestamp"),
        labels.getOrDefault(PURPOSE, "").equals(word(Purpose.WORK)) ? Purpose.WORK : Purpose.PROOF,
        attempt(object, Integer.parseInt(number)));
  }

  private static Owner owner(JsonNode object) {
    return ApiObject.controller(object)
        .filter(owner -> text(owner, "kind").equals(NotifyMaintenance.KIND))
        .map(owner -> new Owner(Fields.name(owner, "uid"), Fields.name(owner, "name")))
        .orElseGet(() -> new Owner("", ""));
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
    Conditions conditions = Conditions.of(object.path("status"));
    Optional<Attempt> failed =
        conditions.get("Failed", Conditions.TRUE).map(end -> failed(number, name, end));
    return failed
        .or(() -> conditions.get("Complete", Conditions.TRUE).map(end -> done(number, name, end)))
        .orElseGet(() -> new Attempt(number, name, Stage.RUNNING, Instant.EPOCH, ""));
  }

  private static Attempt failed(int number, String name, JsonNode condition) {
    String why = "%s: %s".formatted(Fields.name(condition, "reason"), start(condition, "message"));
    return new Attempt(number, name, Stage.FAILED, time(condition, "lastTransitionTime"), why);
  }

  private static Attempt done(int number, String name, JsonNode condition) {
    return new Attempt(number, name, Stage.SUCCEEDED, time(condition, "lastTransitionTime"), "");
  }

  @Override
  public String toString() {
    return "Job %s/%s".formatted(namespace, name);
  }
}

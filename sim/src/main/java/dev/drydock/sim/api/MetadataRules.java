package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The metadata rules that apply to every type. */
final class MetadataRules {
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /** Role names allow more characters: they only have to be valid path segments. */
  private static final Pattern PATH_SEGMENT = Pattern.compile("[^/%]+");

  private static final String OTHER_NAMESPACE =
      "the namespace of the provided object does not match the namespace sent on the request";
  private static final int LONGEST_NAME = 253;
  private static final String GRACE = "deletionGracePeriodSeconds";
  private static final List<String> SERVERS_OWN =
      List.of("creationTimestamp", "deletionTimestamp", GRACE, "generation", "uid");
  private static final List<String> PROPAGATIONS =
      List.of("Foreground", "Background", "Orphan", "nil");
  private static final List<String> NOT_KEPT_EMPTY =
      List.of("labels", "annotations", "finalizers", "ownerReferences");

  private final Clock clock;
  private final Identities identities;

  MetadataRules(Clock clock, Identities identities) {
    this.clock = clock;
    this.identities = identities;
  }

  /** Sets name, UID and creation time; ignores the creator's values for server-side fields. */
  void beforeCreate(ResourceType type, String namespace, ObjectNode object) {
    ObjectNode metadata = JsonTrees.metadata(object);
    String given = JsonTrees.text(metadata, "namespace");
    if (!given.isEmpty() && !given.equals(namespace)) {
      throw StatusException.badRequest(OTHER_NAMESPACE);
    }
    if (type.namespaced()) {
      metadata.put("namespace", namespace);
    }
    if (!JsonTrees.text(metadata, "resourceVersion").isEmpty()) {
      throw StatusException.unexplained(
          "resourceVersion should not be set on objects to be created");
    }
    if (JsonTrees.text(metadata, "name").isEmpty() && metadata.hasNonNull("generateName")) {
      metadata.put("name", identities.name(JsonTrees.text(metadata, "generateName")));
    }
    metadata.remove(SERVERS_OWN);
    metadata.remove(List.of("resourceVersion", "selfLink"));
    metadata.put("uid", identities.uid());
    metadata.put("creationTimestamp", stamp(now()));
    dropEmpty(metadata);
  }

  /** Keeps values that another server assigned; drops those that only have a meaning there. */
  void beforeRestore(ResourceType type, ObjectNode object) {
    ObjectNode metadata = JsonTrees.metadata(object);
    metadata.remove(List.of("resourceVersion", "selfLink", "managedFields"));
    if (type.namespaced()) {
      JsonTrees.putIfAbsent(metadata, "namespace", "default");
    }
    identify(object);
    JsonTrees.putIfAbsent(metadata, "creationTimestamp", stamp(now()));
    if (type.rules().countsGenerations() && !metadata.hasNonNull("generation")) {
      metadata.put("generation", 1);
    }
  }

  void identify(ObjectNode object) {
    ObjectNode metadata = JsonTrees.metadata(object);
    if (!metadata.hasNonNull("uid")) {
      metadata.put("uid", identities.uid());
    }
  }

  void beginGenerations(ResourceType type, ObjectNode object) {
    if (type.rules().countsGenerations()) {
      JsonTrees.metadata(object).put("generation", 1);
    }
  }

  static List<Cause> validate(ObjectNode object) {
    List<Cause> causes = new ArrayList<>(validateName(object));
    causes.addAll(LabelRules.validate(object));
    return causes;
  }

  private static List<Cause> validateName(ObjectNode object) {
    String name = JsonTrees.text(object, "metadata", "name");
    if (name.isEmpty()) {
      return List.of(
          new Cause(
              "FieldValueRequired",
              "metadata.name",
              "Required value: name or generateName is required"));
    }
    boolean role = JsonTrees.text(object, "apiVersion").startsWith("rbac.authorization.k8s.io/");
    Pattern allowed = role ? PATH_SEGMENT : NAME;
    return name.length() <= LONGEST_NAME && allowed.matcher(name).matches()
        ? List.of()
        : List.of(
            Cause.invalid(
                "metadata.name",
                ("\"%s\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                        + " characters, '-' or '.', and must start and end with an alphanumeric"
                        + " character")
                    .formatted(name)));
  }

  /** The name must match the URL, and a given resourceVersion must be the current one. */
  void refuseIfNotMeant(ResourceType type, ObjectNode written, ObjectNode before) {
    String name = JsonTrees.text(written, "metadata", "name");
    if (!name.equals(JsonTrees.text(before, "metadata", "name"))) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, JsonTrees.text(before, "metadata", "name")));
    }
    String namespace = JsonTrees.text(written, "metadata", "namespace");
    if (!namespace.isEmpty()
        && !namespace.equals(JsonTrees.text(before, "metadata", "namespace"))) {
      throw StatusException.badRequest(OTHER_NAMESPACE);
    }
    String seen = JsonTrees.text(written, "metadata", "resourceVersion");
    if (!seen.isEmpty() && !seen.equals(JsonTrees.text(before, "metadata", "resourceVersion"))) {
      throw StatusException.conflict(
          type,
          JsonTrees.text(before, "metadata", "name"),
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
  }

  static List<Cause> validateUpdate(ObjectNode written, ObjectNode before) {
    List<Cause> causes = new ArrayList<>(LabelRules.validate(written));
    String uid = ObjectFacts.uid(written);
    if (!uid.isEmpty() && !uid.equals(ObjectFacts.uid(before))) {
      causes.add(Cause.invalid("metadata.uid", "\"%s\": field is immutable".formatted(uid)));
    }
    List<String> old = JsonTrees.texts(JsonTrees.at(before, "metadata", "finalizers"));
    List<String> added =
        JsonTrees.texts(JsonTrees.at(written, "metadata", "finalizers")).stream()
            .filter(finalizer -> !old.contains(finalizer))
            .toList();
    if (ObjectFacts.isDeleted(before) && !added.isEmpty()) {
      causes.add(
          Cause.forbidden(
              "metadata.finalizers",
              "no new finalizers can be added if the object is being deleted, found new"
                  + " finalizers "
                  + added));
    }
    return causes;
  }

  void beforeUpdate(ObjectNode object, ObjectNode before) {
    ObjectNode metadata = JsonTrees.metadata(object);
    for (String field : SERVERS_OWN) {
      JsonTrees.copy(metadata, field, JsonTrees.at(before, "metadata", field));
    }
    for (String field : List.of("name", "namespace", "resourceVersion")) {
      JsonTrees.copy(metadata, field, JsonTrees.at(before, "metadata", field));
    }
    dropEmpty(metadata);
  }

  /** Metadata and status do not count towards the generation. */
  void countGeneration(ResourceType type, ObjectNode object, ObjectNode before) {
    if (type.rules().countsGenerations() && !wanted(object, type).equals(wanted(before, type))) {
      raiseGeneration(object);
    }
  }

  private static JsonNode wanted(ObjectNode object, ResourceType type) {
    ObjectNode wanted = JsonTrees.object().setAll(object);
    wanted.remove("metadata");
    if (type.rules().hasStatus()) {
      wanted.remove("status");
    }
    return wanted;
  }

  private static void raiseGeneration(ObjectNode object) {
    ObjectNode metadata = JsonTrees.metadata(object);
    if (metadata.has("generation")) {
      metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
  }

  /**
   * Starts the deletion, or shortens the grace period of one that has started; it is never
   * extended.
   */
  void markDeleted(ObjectNode object, long grace) {
    ObjectNode metadata = JsonTrees.metadata(object);
    if (!ObjectFacts.isDeleted(object)) {
      metadata.put("deletionTimestamp", stamp(now().plusSeconds(grace)));
      metadata.put(GRACE, (int) grace);
      raiseGeneration(object);
      return;
    }
    long before = metadata.path(GRACE).asLong();
    if (grace < before) {
      Instant end = Instant.parse(JsonTrees.text(metadata, "deletionTimestamp"));
      metadata.put("deletionTimestamp", stamp(end.minusSeconds(before - grace)));
      metadata.put(GRACE, (int) grace);
    }
  }

  /** Sets the finalizers for dependents, unless the propagation policy is Background. */
  void addPropagation(ObjectNode object, ObjectNode before, String propagation) {
    if (ObjectFacts.isDeleted(before)) {
      return;
    }
    switch (propagation) {
      case "", "Background" -> {}
      case "Orphan" -> JsonTrees.metadata(object).withArray("finalizers").add("orphan");
      case "Foreground" ->
          JsonTrees.metadata(object).withArray("finalizers").add("foregroundDeletion");
      default ->
          throw StatusException.notAnOption(
              "DeleteOptions", "propagationPolicy", propagation, PROPAGATIONS);
    }
  }

  /** Whether nothing keeps a deleted object any more. */
  static boolean mayGo(JsonNode object) {
    return ObjectFacts.isDeleted(object)
        && JsonTrees.at(object, "metadata", "finalizers").isEmpty()
        && JsonTrees.at(object, "metadata", GRACE).asLong() == 0;
  }

  private Instant now() {
    return clock.instant();
  }

  static String stamp(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static void dropEmpty(ObjectNode metadata) {
    for (String field : NOT_KEPT_EMPTY) {
      if (metadata.path(field).isEmpty()) {
        metadata.remove(field);
      }
    }
  }
}

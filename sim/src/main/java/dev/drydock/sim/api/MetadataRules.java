package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.Json;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What holds for the metadata of every object, whatever its type. */
final class MetadataRules {
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /** Names of roles may hold more: they become a segment of a path, nothing else. */
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

  /** Who it is and since when; what the creator says about that is not heard. */
  void beforeCreate(ResourceType type, String namespace, ObjectNode object) {
    ObjectNode metadata = Json.metadata(object);
    String given = Json.text(metadata, "namespace");
    if (!given.isEmpty() && !given.equals(namespace)) {
      throw ApiFailure.badRequest(OTHER_NAMESPACE);
    }
    if (type.namespaced()) {
      metadata.put("namespace", namespace);
    }
    if (!Json.text(metadata, "resourceVersion").isEmpty()) {
      throw ApiFailure.unexplained("resourceVersion should not be set on objects to be created");
    }
    if (Json.text(metadata, "name").isEmpty() && metadata.hasNonNull("generateName")) {
      metadata.put("name", Json.text(metadata, "generateName") + identities.suffix());
    }
    metadata.remove(SERVERS_OWN);
    metadata.remove(List.of("resourceVersion", "selfLink", "managedFields"));
    metadata.put("uid", identities.uid());
    metadata.put("creationTimestamp", stamp(now()));
    dropEmpty(metadata);
  }

  /** What another server gave stays; what it alone can mean goes. */
  void beforeRestore(ResourceType type, ObjectNode object) {
    ObjectNode metadata = Json.metadata(object);
    metadata.remove(List.of("resourceVersion", "selfLink", "managedFields"));
    if (type.namespaced()) {
      Json.putIfAbsent(metadata, "namespace", "default");
    }
    identify(object);
    Json.putIfAbsent(metadata, "creationTimestamp", stamp(now()));
    if (type.rules().countsGenerations() && !metadata.hasNonNull("generation")) {
      metadata.put("generation", 1);
    }
  }

  void identify(ObjectNode object) {
    ObjectNode metadata = Json.metadata(object);
    if (!metadata.hasNonNull("uid")) {
      metadata.put("uid", identities.uid());
    }
  }

  void beginGenerations(ResourceType type, ObjectNode object) {
    if (type.rules().countsGenerations()) {
      Json.metadata(object).put("generation", 1);
    }
  }

  static List<Cause> validateName(ObjectNode object) {
    String name = Json.text(object, "metadata", "name");
    if (name.isEmpty()) {
      return List.of(
          new Cause(
              "FieldValueRequired",
              "metadata.name",
              "Required value: name or generateName is required"));
    }
    boolean role = Json.text(object, "apiVersion").startsWith("rbac.authorization.k8s.io/");
    Pattern allowed = role ? PATH_SEGMENT : NAME;
    return name.length() <= LONGEST_NAME && allowed.matcher(name).matches()
        ? List.of()
        : List.of(
            Cause.invalid(
                "metadata.name", "\"%s\": not a lowercase RFC 1123 subdomain".formatted(name)));
  }

  /** A writer means the object in the address, and if it says which version, the last one. */
  void refuseIfNotMeant(ResourceType type, ObjectNode written, ObjectNode before) {
    String name = Json.text(written, "metadata", "name");
    if (!name.equals(Json.text(before, "metadata", "name"))) {
      throw ApiFailure.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, Json.text(before, "metadata", "name")));
    }
    String namespace = Json.text(written, "metadata", "namespace");
    if (!namespace.isEmpty() && !namespace.equals(Json.text(before, "metadata", "namespace"))) {
      throw ApiFailure.badRequest(OTHER_NAMESPACE);
    }
    String seen = Json.text(written, "metadata", "resourceVersion");
    if (!seen.isEmpty() && !seen.equals(Json.text(before, "metadata", "resourceVersion"))) {
      throw ApiFailure.conflict(
          type,
          Json.text(before, "metadata", "name"),
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
  }

  static List<Cause> validateUpdate(ObjectNode written, ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    String uid = ObjectFacts.uid(written);
    if (!uid.isEmpty() && !uid.equals(ObjectFacts.uid(before))) {
      causes.add(Cause.invalid("metadata.uid", "\"%s\": field is immutable".formatted(uid)));
    }
    List<String> old = Json.texts(Json.at(before, "metadata", "finalizers"));
    List<String> added =
        Json.texts(Json.at(written, "metadata", "finalizers")).stream()
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
    ObjectNode metadata = Json.metadata(object);
    for (String field : SERVERS_OWN) {
      Json.copy(metadata, field, Json.at(before, "metadata", field));
    }
    for (String field : List.of("name", "namespace", "resourceVersion")) {
      Json.copy(metadata, field, Json.at(before, "metadata", field));
    }
    metadata.remove("managedFields");
    dropEmpty(metadata);
  }

  /** Metadata and status are not what is wanted, so they do not count. */
  void countGeneration(ResourceType type, ObjectNode object, ObjectNode before) {
    if (type.rules().countsGenerations() && !wanted(object, type).equals(wanted(before, type))) {
      raiseGeneration(object);
    }
  }

  private static JsonNode wanted(ObjectNode object, ResourceType type) {
    ObjectNode wanted = Json.object().setAll(object);
    wanted.remove("metadata");
    if (type.rules().hasStatus()) {
      wanted.remove("status");
    }
    return wanted;
  }

  private static void raiseGeneration(ObjectNode object) {
    ObjectNode metadata = Json.metadata(object);
    if (metadata.has("generation")) {
      metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
  }

  /** Begins the deletion, or hastens one that has begun; no deletion is ever put off. */
  void markDeleted(ObjectNode object, long grace) {
    ObjectNode metadata = Json.metadata(object);
    if (!ObjectFacts.isDeleted(object)) {
      metadata.put("deletionTimestamp", stamp(now().plusSeconds(grace)));
      metadata.put(GRACE, (int) grace);
      raiseGeneration(object);
      return;
    }
    long before = metadata.path(GRACE).asLong();
    if (grace < before) {
      Instant end = Instant.parse(Json.text(metadata, "deletionTimestamp"));
      metadata.put("deletionTimestamp", stamp(end.minusSeconds(before - grace)));
      metadata.put(GRACE, (int) grace);
    }
  }

  /** What depends on the object is seen to by finalizers, unless it goes by itself later. */
  void addPropagation(ObjectNode object, ObjectNode before, String propagation) {
    if (ObjectFacts.isDeleted(before)) {
      return;
    }
    switch (propagation) {
      case "", "Background" -> {}
      case "Orphan" -> Json.metadata(object).withArray("finalizers").add("orphan");
      case "Foreground" -> Json.metadata(object).withArray("finalizers").add("foregroundDeletion");
      default ->
          throw ApiFailure.notAnOption(
              "DeleteOptions", "propagationPolicy", propagation, PROPAGATIONS);
    }
  }

  /** Whether a deleted object has nothing left to wait for. */
  static boolean mayGo(JsonNode object) {
    return ObjectFacts.isDeleted(object)
        && Json.at(object, "metadata", "finalizers").isEmpty()
        && Json.at(object, "metadata", GRACE).asLong() == 0;
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

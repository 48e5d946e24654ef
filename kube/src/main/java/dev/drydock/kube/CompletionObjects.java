package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.CompletionObject.Progress;
import java.net.HttpURLConnection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Creates, watches and deletes objects of any kind on behalf of others. Kinds are looked up in the
 * API server when they are first asked for, and watched from then on.
 */
public final class CompletionObjects implements AutoCloseable {
  private final Kube kube;
  private final Markers marks;
  private final Consumer<String> changed;
  private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

  /**
   * The label, annotation and finalizer by which our objects are found. The creator adds them to
   * the body; the finalizer only if the serving controller deletes the object at the end.
   *
   * @param owner a label that has the owner's UID, by which objects are found
   * @param subject an annotation that says what it is about, e.g. a node's name
   * @param finalizer keeps an object until it is deleted here
   */
  public record Markers(String owner, String subject, String finalizer) {}

  /**
   * On whose behalf an object is made.
   *
   * @param reference an owner reference, for objects in the same namespace
   */
  public record Owner(String uid, String namespace, ObjectNode reference) {}

  /** A kind that was asked for, and those of our objects that exist. */
  private record Kind(Resource resource, Watch<ApiObject> objects) {}

  /**
   * @param changed gets the subject of a changed object; empty if any may have changed
   */
  public CompletionObjects(Kube kube, Markers marks, Consumer<String> changed) {
    this.kube = kube;
    this.marks = marks;
    this.changed = changed;
  }

  /**
   * How far an object is, as far as the watch of its kind knows.
   *
   * @throws ApiFailure if the cluster does not know the kind
   */
  public Progress progress(Owner owner, CompletionObject wanted) {
    Kind kind = kind(wanted);
    Watch.State<ApiObject> state = kind.objects().state(owner.uid());
    if (state.unsynced().isPresent()) {
      String why = state.unsynced().get();
      return new Progress.Unknown(why.equals(Watch.NOT_LISTED) ? "" : why);
    }
    String unreadable = state.unreadable().get(fullName(kind, wanted));
    if (unreadable != null) {
      return new Progress.Unknown(unreadable);
    }
    return state.items().stream()
        .filter(object -> isIt(kind.resource(), owner, wanted, object))
        .findFirst()
        .map(wanted::read)
        .orElseGet(Progress.Absent::new);
  }

  /**
   * Anybody may label anything. So an object counts by its namespace, its name and its owner; where
   * it cannot have an owner, because it is in another namespace or in none, by its owner's UID in
   * the label.
   */
  private boolean isIt(Resource resource, Owner owner, CompletionObject wanted, ApiObject object) {
    boolean named =
        object.name().equals(wanted.name())
            && (!resource.namespaced() || object.namespace().equals(wanted.namespace()));
    return named && isOwn(resource, owner, object);
  }

  private boolean isOwn(Resource resource, Owner owner, ApiObject object) {
    return hasReference(resource, owner, object.namespace())
        ? object.isOwnedBy(text(owner.reference(), "kind"), owner.uid())
        : object.labels().getOrDefault(marks.owner(), "").equals(owner.uid());
  }

  private static boolean hasReference(Resource resource, Owner owner, String namespace) {
    return resource.namespaced() && namespace.equals(owner.namespace());
  }

  private static String fullName(Kind kind, CompletionObject object) {
    return kind.resource().namespaced() ? object.namespace() + "/" + object.name() : object.name();
  }

  /**
   * All objects with the owner's label, whatever they are called.
   *
   * @throws ApiFailure if the cluster does not know the kind
   */
  public Watch.State<ApiObject> owned(Owner owner, CompletionObject wanted) {
    return kind(wanted).objects().state(owner.uid());
  }

  /**
   * What the objects of a kind are about, as far as the watch knows, which begins with the first
   * question.
   *
   * @throws ApiFailure if the cluster does not know the kind
   */
  public Set<String> subjects(CompletionObject wanted) {
    return kind(wanted).objects().state().items().stream()
        .map(object -> object.annotations().getOrDefault(marks.subject(), ""))
        .filter(subject -> !subject.isEmpty())
        .collect(Collectors.toSet());
  }

  /**
   * Whether the cluster serves the kind now; a watch of it learns that only when it lists again.
   *
   * @throws ApiFailure if it does not answer
   */
  public boolean isServed(CompletionObject wanted) {
    return wanted.apiVersions().stream()
        .anyMatch(version -> resource(version, wanted.kind()).isPresent());
  }

  /** Deletes one of the objects that were found. */
  public void delete(CompletionObject wanted, ApiObject object) {
    served(wanted).ifPresent(kind -> delete(kind.resource(), object));
  }

  /** The resource of its kind; empty if the cluster does not serve it. */
  public Optional<Resource> resource(CompletionObject wanted) {
    return served(wanted).map(Kind::resource);
  }

  /**
   * The object as it is now, which the watch may not show yet. One that another program made for
   * the owner, and names it among its owners, is shown by the watch from then on.
   */
  public Optional<ApiObject> read(Owner owner, CompletionObject wanted) {
    return served(wanted)
        .flatMap(
            kind ->
                kube.http()
                    .find(kind.resource(), wanted.namespace(), wanted.name())
                    .map(ApiObject::of)
                    .flatMap(object -> adopted(kind, owner, wanted, object)));
  }

  private Optional<ApiObject> adopted(
      Kind kind, Owner owner, CompletionObject wanted, ApiObject object) {
    if (isIt(kind.resource(), owner, wanted, object)) {
      return Optional.of(object);
    }
    if (!object.isOwnedBy(text(owner.reference(), "kind"), owner.uid())) {
      return Optional.empty();
    }
    String subject = text(wanted.body().path("metadata").path("annotations"), marks.subject());
    return Optional.of(
        ApiObject.of(
            Patch.sameUid(kind.resource(), object)
                .label(marks.owner(), owner.uid())
                .annotation(marks.subject(), subject)
                .send(kube.http())));
  }

  /** The object as the watch knows it, if its kind was asked for before. */
  public Optional<ApiObject> find(Owner owner, CompletionObject wanted) {
    return wanted.apiVersions().stream()
        .flatMap(version -> Optional.ofNullable(kinds.get(key(version, wanted))).stream())
        .flatMap(
            kind ->
                kind.objects().state(owner.uid()).items().stream()
                    .filter(object -> isIt(kind.resource(), owner, wanted, object)))
        .findFirst();
  }

  /**
   * Creates the object unless it exists.
   *
   * @throws ApiFailure if it could not be created, or an object of that name belongs to another
   */
  public void create(Owner owner, CompletionObject wanted) {
    Kind kind = kind(wanted);
    ObjectNode body = wanted.body().deepCopy().put("apiVersion", kind.resource().apiVersion());
    ObjectNode metadata = (ObjectNode) body.path("metadata");
    if (kind.resource().namespaced()) {
      metadata.put("namespace", wanted.namespace());
    } else {
      metadata.remove("namespace");
    }
    if (hasReference(kind.resource(), owner, wanted.namespace())) {
      metadata.putArray("ownerReferences").add(owner.reference());
    }
    KubeHttp.Creation creation = kube.http().createOrFind(kind.resource(), body);
    if (!creation.existed()) {
      return;
    }
    ApiObject there = ApiObject.of(creation.object());
    if (!isIt(kind.resource(), owner, wanted, there)) {
      // Not a conflict, which would pass: somebody has to act.
      throw new ApiFailure(
          HttpURLConnection.HTTP_PRECON_FAILED,
          "%s %s already exists and has another owner; delete it"
              .formatted(wanted.kind(), fullName(kind, wanted)));
    }
    if (!there.labels().getOrDefault(marks.owner(), "").equals(owner.uid())) {
      var _ =
          Patch.sameUid(kind.resource(), there)
              .label(marks.owner(), owner.uid())
              .send(kube.http()); // without it the watch does not show the object
    }
  }

  /** Deletes the owner's object, if it exists; the controller that serves it cleans up. */
  public void delete(Owner owner, CompletionObject wanted) {
    existing(owner, wanted).forEach(there -> delete(there.resource(), there.object()));
  }

  /**
   * Deletes all that was made for the owner and has one of these names: the given objects, of which
   * some may never have existed, and those of the kinds that were asked for so far.
   */
  public void deleteAll(Owner owner, List<CompletionObject> possible) {
    Map<String, Existing> found = new LinkedHashMap<>();
    for (CompletionObject wanted : possible) {
      existingIfAllowed(owner, wanted).forEach(there -> found.put(there.object().uid(), there));
    }
    Set<String> names =
        possible.stream().map(CompletionObject::name).collect(Collectors.toUnmodifiableSet());
    for (Kind kind : kinds.values()) {
      kind.objects().state(owner.uid()).items().stream()
          .filter(object -> names.contains(object.name()) && isOwn(kind.resource(), owner, object))
          .forEach(
              object -> found.putIfAbsent(object.uid(), new Existing(kind.resource(), object)));
    }
    found.values().forEach(there -> delete(there.resource(), there.object()));
  }

  private List<Existing> existingIfAllowed(Owner owner, CompletionObject possible) {
    try {
      return existing(owner, possible);
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw failure;
      }
      return List.of(); // whoever may not read a kind has not made an object of it either
    }
  }

  /** An object that was found, and of what kind it is. */
  private record Existing(Resource resource, ApiObject object) {}

  /**
   * The owner's object as it is now, in each of its API versions: since it was created, the cluster
   * may have begun to serve another one. A kind is not watched because something is to be deleted.
   */
  private List<Existing> existing(Owner owner, CompletionObject wanted) {
    return wanted.apiVersions().stream()
        .flatMap(version -> resourceIn(version, wanted).stream())
        .flatMap(
            resource ->
                kube
                    .http()
                    .find(resource, wanted.namespace(), wanted.name())
                    .map(ApiObject::of)
                    .filter(there -> isIt(resource, owner, wanted, there))
                    .map(there -> new Existing(resource, there))
                    .stream())
        .toList();
  }

  private Optional<Resource> resourceIn(String apiVersion, CompletionObject wanted) {
    Kind known = kinds.get(key(apiVersion, wanted));
    return known == null ? resource(apiVersion, wanted.kind()) : Optional.of(known.resource());
  }

  private void delete(Resource resource, ApiObject object) {
    if (object.hasFinalizer(marks.finalizer())) {
      var _ =
          Patch.ifUnchanged(resource, object)
              .removeFinalizer(marks.finalizer())
              .sendIfExists(kube.http());
    }
    Delete.sameUid(resource, object).send(kube.http());
  }

  private Kind kind(CompletionObject wanted) {
    return served(wanted)
        .orElseThrow(
            () ->
                new ApiFailure(
                    HttpURLConnection.HTTP_NOT_FOUND,
                    "the cluster does not serve %s of %s; install its CRD or correct the template"
                        .formatted(wanted.kind(), wanted.apiVersions().getFirst())));
  }

  /** In the first of its API versions that the cluster serves. */
  private Optional<Kind> served(CompletionObject wanted) {
    return wanted.apiVersions().stream()
        .flatMap(version -> Optional.ofNullable(kinds.get(key(version, wanted))).stream())
        .findFirst()
        .or(
            () ->
                wanted.apiVersions().stream()
                    .flatMap(version -> discover(version, wanted).stream())
                    .findFirst());
  }

  private static String key(String apiVersion, CompletionObject wanted) {
    return apiVersion + "/" + wanted.kind();
  }

  /** Empty if the cluster does not know the kind. */
  private Optional<Kind> discover(String apiVersion, CompletionObject wanted) {
    return resource(apiVersion, wanted.kind())
        .map(resource -> watched(key(apiVersion, wanted), resource));
  }

  private Optional<Resource> resource(String apiVersion, String kind) {
    String root = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
    KubeAnswer answer = kube.http().send(ApiCall.get(root));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return Optional.empty();
    }
    for (JsonNode each : answer.orThrow("API " + apiVersion).path("resources")) {
      String plural = text(each, "name");
      if (text(each, "kind").equals(kind) && !plural.contains("/")) {
        int slash = apiVersion.indexOf('/');
        return Optional.of(
            new Resource(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                plural,
                kind,
                each.path("namespaced").asBoolean()));
      }
    }
    return Optional.empty();
  }

  private Kind watched(String key, Resource resource) {
    Watch<ApiObject> objects =
        kube.watches()
            .of(
                Watch.Kind.of(
                        resource.all().labelSelector(marks.owner()),
                        object ->
                            ApiObject.bounded(object, List.of(marks.owner(), marks.subject())))
                    .groupedBy(object -> object.labels().getOrDefault(marks.owner(), ""))
                    .optional(),
                Watch.Listener.keyed(
                    object -> object.annotations().getOrDefault(marks.subject(), ""),
                    changed,
                    () -> changed.accept("")));
    Kind made = new Kind(resource, objects);
    Kind before = kinds.putIfAbsent(key, made);
    if (before == null) {
      objects.start();
    }
    return before == null ? made : before;
  }

  @Override
  public void close() {
    kinds.values().forEach(kind -> kind.objects().close());
  }
}

package dev.drydock.health.customdrain;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.health.customdrain.decide.CustomDrainRules;
import dev.drydock.health.customdrain.decide.CustomDrainTask;
import dev.drydock.health.customdrain.decide.DrainResource;
import dev.drydock.health.resource.KindSchemas;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.CompletionObject;
import dev.drydock.kube.CompletionObject.Completion;
import dev.drydock.kube.CompletionObject.Progress;
import dev.drydock.kube.CompletionObjects;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.LabelValue;
import dev.drydock.kube.Watch;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The resources by which other controllers drain nodes, of whatever kind is configured. */
public final class CustomDrains implements AutoCloseable {
  /** Other usual names of the condition, to tell whoever configured a name that is never set. */
  private static final Set<String> COMPLETION_LIKE =
      Set.of("Complete", "Completed", "DrainComplete", "Drained", "Succeeded");

  /** How the message begins about a kind that the cluster does not serve. */
  public static final String KIND_MISSING = "the cluster does not serve ";

  private static final int INVALID = 422;
  private static final int LONGEST_MESSAGE = 500;

  private final CustomDrainConfig config;
  private final CompletionObjects objects;
  private final KindSchemas schemas;

  /** The API server refuses the resource; trying again would not help. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String line) {
      super(line);
    }
  }

  /** The cluster does not serve the kind. */
  public static final class KindMissing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KindMissing(String line) {
      super(line);
    }
  }

  /**
   * What is there for a node.
   *
   * @param unknown why that is not known, if so
   * @param resources in the order of their creation
   */
  public record Present(Optional<String> unknown, List<Found> resources) {}

  /** One of them, as it was read and as decisions see it. */
  public record Found(ApiObject object, DrainResource resource) {}

  /**
   * @param changed gets the node whose resource has changed; empty if any may have
   */
  public CustomDrains(Kube kube, CustomDrainConfig config, Consumer<String> changed) {
    this.config = config;
    schemas = new KindSchemas(kube.http());
    objects =
        new CompletionObjects(
            kube,
            new CompletionObjects.Markers(DrainRequest.NODE_LABEL, CustomDrainNames.NODE, ""),
            node -> {
              if (node.isEmpty()) {
                schemas.forget(); // the kind may have been installed anew
              }
              changed.accept(node);
            });
  }

  public CustomDrainConfig config() {
    return config;
  }

  private CompletionObject wanted(ObjectNode body) {
    CustomDrainRules rules = config.rules();
    return new CompletionObject(
        List.of(config.apiVersion()),
        config.kind(),
        text(body.path("metadata"), "namespace"),
        body,
        new Completion(
            rules.complete().type(),
            rules.complete().status(),
            Set.of(),
            rules.failed().type(),
            rules.failed().status()));
  }

  private static CompletionObjects.Owner owner(String node) {
    return new CompletionObjects.Owner(LabelValue.of(node), "", Json.object());
  }

  /**
   * Whether the cluster serves the kind now.
   *
   * @throws ApiFailure if it does not answer
   */
  public boolean isServed() {
    return objects.isServed(wanted(Json.object()));
  }

  /**
   * The nodes that there are resources for, as far as the watch knows, which begins with the first
   * question.
   *
   * @throws ApiFailure if the cluster does not serve the kind
   */
  public Set<String> nodes() {
    return objects.subjects(wanted(Json.object()));
  }

  /**
   * What is there for a node, as far as the watch knows.
   *
   * @throws KindMissing if the cluster does not serve the kind
   */
  public Present present(String node) {
    CompletionObject kind = wanted(Json.object());
    Watch.State<ApiObject> state;
    try {
      state = objects.owned(owner(node), kind);
    } catch (ApiFailure failure) {
      throw failure.code() == HttpURLConnection.HTTP_NOT_FOUND ? missing() : failure;
    }
    Optional<String> unknown = state.unsynced();
    if (unknown.filter(why -> !why.equals(Watch.NOT_LISTED)).isPresent() && !isServed()) {
      throw missing();
    }
    return new Present(
        unknown,
        state.items().stream()
            .filter(object -> isInItsNamespace(object) && isAbout(object, node))
            .sorted((one, other) -> one.created().compareTo(other.created()))
            .map(object -> new Found(object, resource(kind, object)))
            .toList());
  }

  /** Elsewhere anybody may label an object, and say that it has drained the node. */
  private boolean isInItsNamespace(ApiObject object) {
    return object.namespace().isEmpty() || object.namespace().equals(config.namespace());
  }

  /** Long names of nodes may have the same label. */
  private static boolean isAbout(ApiObject object, String node) {
    return object.annotations().getOrDefault(CustomDrainNames.NODE, node).equals(node);
  }

  private KindMissing missing() {
    return new KindMissing(
        KIND_MISSING + "%s of %s; install its CRD".formatted(config.kind(), config.apiVersion()));
  }

  private DrainResource resource(CompletionObject kind, ApiObject object) {
    String said = "";
    boolean misnamed = false;
    DrainResource.Progress progress;
    switch (kind.read(object)) {
      case Progress.Complete _ -> {
        progress = DrainResource.Progress.COMPLETE;
        said = message(object, config.rules().complete().type());
      }
      case Progress.Failed failed -> {
        progress = DrainResource.Progress.FAILED;
        said = failed.message().isEmpty() ? failed.reason() : failed.message();
      }
      default -> {
        progress = DrainResource.Progress.PENDING;
        misnamed = completionLike(object).isPresent();
        said = completionLike(object).orElseGet(() -> message(object, ""));
      }
    }
    return new DrainResource(
        config.kind() + " " + object,
        object.created(),
        object.deleted(),
        object.annotations().getOrDefault(CustomDrainNames.EVENT, ""),
        object.annotations().getOrDefault(CustomDrainNames.EPISODE, ""),
        object.annotations().getOrDefault(CustomDrainNames.DEVICE, ""),
        progress,
        misnamed,
        said);
  }

  /** What a condition says; of any type if none is given. */
  private static String message(ApiObject object, String type) {
    return object.conditions().all().stream()
        .filter(each -> type.isEmpty() || text(each, "type").equals(type))
        .map(each -> text(each, "message"))
        .filter(message -> !message.isEmpty())
        .map(message -> ShortText.of(message, LONGEST_MESSAGE))
        .reduce((_, last) -> last)
        .orElse("");
  }

  private Optional<String> completionLike(ApiObject object) {
    return object.conditions().all().stream()
        .filter(each -> text(each, "status").equals("True"))
        .map(each -> text(each, "type"))
        .filter(COMPLETION_LIKE::contains)
        .findFirst()
        .map(
            type ->
                "it has %s=True, but customDrain.statusConditionType is %s"
                    .formatted(type, config.rules().complete().type()));
  }

  /**
   * Creates the resource, unless it is there.
   *
   * @throws ResourceTemplateInvalid if there can be none
   * @throws Refused if the API server will never take it
   * @throws KindMissing if the cluster does not serve the kind
   * @throws ApiFailure if it may help to try again
   */
  public void create(
      CustomDrainTask task, HealthEvent event, String span, Map<String, List<String>> pods) {
    DrainResourceTemplate.Input input = new DrainResourceTemplate.Input(task, event, span, pods);
    try {
      create(task, render(input));
    } catch (Refused refused) {
      // the CRD may have changed since its schema was read
      schemas.forget();
      create(task, render(input));
    }
  }

  private ObjectNode render(DrainResourceTemplate.Input input) {
    return DrainResourceTemplate.render(
        config, input, schemas.of(config.apiVersion(), config.kind()));
  }

  private void create(CustomDrainTask task, ObjectNode body) {
    try {
      objects.create(owner(task.node()), wanted(body));
    } catch (ApiFailure failure) {
      boolean never =
          failure.code() == HttpURLConnection.HTTP_BAD_REQUEST || failure.code() == INVALID;
      if (never) {
        throw new Refused(String.valueOf(failure.getMessage()));
      }
      // nor may it be the namespace that is missing
      throw failure.code() == HttpURLConnection.HTTP_NOT_FOUND && !isServed() ? missing() : failure;
    }
  }

  /** Its controller cleans up. */
  public void delete(Found found) {
    if (!found.object().deleted()) {
      objects.delete(wanted(Json.object()), found.object());
    }
  }

  /** Who drains, for people. */
  public String who(CustomDrainTask task) {
    return "%s %s/%s of %s"
        .formatted(
            config.kind(), config.namespace(), DrainResourceTemplate.name(task), config.drainer());
  }

  @Override
  public void close() {
    objects.close();
  }
}

package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.TreeSet;

/** How a cluster serves the kinds of an API group. */
public sealed interface ApiGroupAvailability {
  /** Both kinds, by resource definitions. */
  record ByDefinition() implements ApiGroupAvailability {}

  /** Both kinds, by the API server itself. */
  record BuiltIn() implements ApiGroupAvailability {}

  /** The group's version is not served, so CRDs for it would work. */
  record Absent() implements ApiGroupAvailability {}

  /** The API server itself serves the version, with other kinds; it would hide definitions. */
  record OthersOnly(List<String> resources) implements ApiGroupAvailability {}

  /** Not known, because discovery failed. */
  record Unknown(String why) implements ApiGroupAvailability {}

  /** Whether LifecycleEvents can be read there. */
  default boolean serves() {
    return this instanceof ByDefinition || this instanceof BuiltIn;
  }

  /** Asks the cluster. */
  static ApiGroupAvailability of(KubeHttp http, String group) {
    KubeAnswer answer = http.send(ApiCall.get(LifecyclePaths.group(group)));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return new Absent();
    }
    if (!answer.ok()) {
      return new Unknown(answer.message());
    }
    TreeSet<String> resources = new TreeSet<>();
    for (JsonNode resource : answer.body().path("resources")) {
      String name = text(resource, "name");
      if (!name.contains("/")) {
        resources.add(name);
      }
    }
    if (resources.containsAll(List.of(LifecycleNames.EVENTS, LifecycleNames.TRANSITIONS))) {
      return source(http, group);
    }
    return new OthersOnly(List.copyOf(resources));
  }

  private static ApiGroupAvailability source(KubeHttp http, String group) {
    KubeAnswer definition =
        http.send(
            ApiCall.get(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
                    + LifecycleNames.EVENTS
                    + "."
                    + group));
    return definition.code() == HttpURLConnection.HTTP_NOT_FOUND
        ? new BuiltIn()
        : new ByDefinition();
  }

  /** One line for a person. */
  default String words(String group) {
    return switch (this) {
      case ByDefinition() -> group + " is served by CRDs";
      case BuiltIn() -> group + " is served by the API server itself";
      case Absent() -> group + " is not served";
      case OthersOnly(List<String> resources) ->
          "%s is served by the API server itself, but only with %s: CRDs in this group would be hidden; use %s"
              .formatted(
                  group,
                  resources.isEmpty() ? "nothing" : String.join(", ", resources),
                  LifecycleNames.OWN_GROUP);
      case Unknown(String why) -> "cannot find out whether %s is served: %s".formatted(group, why);
    };
  }
}

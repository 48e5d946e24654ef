package dev.drydock.serve.command;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.NearestName;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Gatherers;

/** Checks that named objects exist, and suggests similar names if they do not. */
public final class ExistenceCheck {
  private static final int READS_AT_ONCE = 16;

  private final KubeHttp http;

  public ExistenceCheck(KubeHttp http) {
    this.http = http;
  }

  /** The Nodes in the given order. */
  public List<JsonNode> requireNodes(List<String> names) {
    return names.stream()
        .gather(Gatherers.mapConcurrent(READS_AT_ONCE, name -> require(Resource.NODES, name)))
        .toList();
  }

  /** Requires Nodes, except from users who may not read them: then their request says it. */
  public void requireReadableNodes(List<String> names) {
    try {
      var _ = requireNodes(names);
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw failure;
      }
    }
  }

  /**
   * What a reader of these nodes finds. Whether they exist is asked only if it fails because
   * something was not found, so that a correct command costs no further request.
   */
  public <T> T reading(List<String> nodes, Supplier<T> reader) {
    try {
      return reader.get();
    } catch (ApiFailure failure) {
      if (failure.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        var _ = requireNodes(nodes);
      }
      throw failure;
    }
  }

  /** An object of a cluster-scoped kind. */
  public JsonNode require(Resource resource, String name) {
    KubeAnswer answer = http.send(ApiCall.get(resource.path("", name)));
    String what = word(resource) + " " + name;
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw new CommandFailure(
          "%s does not exist%s; see: kubectl get %s"
              .formatted(what, nearest(resource, name), resource.plural()));
    }
    return answer.orThrow(what);
  }

  /** A user without read permission gets the error later, when it matters. */
  public void requireKind(Resource resource, String namespace) {
    requireKind(resource, http.send(ApiCall.list(resource.collection(namespace) + "?limit=1")));
  }

  private static void requireKind(Resource resource, KubeAnswer listed) {
    if (listed.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw CrdInstall.missing(resource.kind(), CrdInstall.ALL);
    }
  }

  /** Kubernetes' own kinds as in a sentence. */
  private static String word(Resource resource) {
    return resource.group().isEmpty() ? resource.kind().toLowerCase(Locale.ROOT) : resource.kind();
  }

  private String nearest(Resource resource, String name) {
    List<String> known = new ArrayList<>();
    // Only a suggestion, so failing to list them is not reported, unless the kind is unknown.
    requireKind(
        resource,
        http.list(resource.all(), object -> known.add(text(object.path("metadata"), "name"))));
    return NearestName.hint(name, known);
  }
}

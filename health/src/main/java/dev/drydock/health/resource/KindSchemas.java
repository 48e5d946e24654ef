package dev.drydock.health.resource;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas of kinds, as the API server shows them to everybody; to read the CRDs would take a
 * right of its own. Kept until somebody says that they may be others. Thread-safe.
 */
public final class KindSchemas {
  private static final Logger LOG = LoggerFactory.getLogger(KindSchemas.class);

  private final KubeHttp http;
  private final Map<Kind, JsonNode> known = new ConcurrentHashMap<>();

  public KindSchemas(KubeHttp http) {
    this.http = http;
  }

  private record Kind(String apiVersion, String kind) {
    String path() {
      return "/openapi/v3/" + (apiVersion.contains("/") ? "apis/" : "api/") + apiVersion;
    }

    boolean is(JsonNode named) {
      String group = text(named, "group");
      String version = text(named, "version");
      return text(named, "kind").equals(kind)
          && apiVersion.equals(group.isEmpty() ? version : group + "/" + version);
    }
  }

  /** A CRD may have changed since. */
  public void forget() {
    known.clear();
  }

  /** A missing node if the API server does not say; values are then what they look like. */
  public JsonNode of(String apiVersion, String kind) {
    Kind wanted = new Kind(apiVersion, kind);
    JsonNode present = known.get(wanted);
    if (present != null) {
      return present;
    }
    KubeAnswer answer = http.send(ApiCall.get(wanted.path()));
    if (!answer.ok()) {
      LOG.warn("the schema of {} is not known: {}", kind, answer.message());
      return MissingNode.getInstance();
    }
    JsonNode found =
        answer
            .body()
            .path("components")
            .path("schemas")
            .valueStream()
            .filter(
                schema ->
                    schema
                        .path("x-kubernetes-group-version-kind")
                        .valueStream()
                        .anyMatch(wanted::is))
            .findFirst()
            .orElse(MissingNode.getInstance());
    known.put(wanted, found);
    return found;
  }
}

package dev.drydock.kube;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One request to the API server.
 *
 * @param path with its query, starting with the slash
 */
public record ApiCall(Verb verb, String path, @Nullable String contentType, @Nullable String body) {
  private static final String JSON = "application/json";

  /** The verb, as the API server names it. */
  public enum Verb {
    GET("GET"),
    LIST("GET"),
    WATCH("GET"),
    CREATE("POST"),
    PATCH("PATCH"),
    DELETE("DELETE");

    private final String method;

    Verb(String method) {
      this.method = method;
    }

    public String method() {
      return method;
    }
  }

  public static ApiCall get(String path) {
    return new ApiCall(Verb.GET, path, null, null);
  }

  public static ApiCall list(String path) {
    return new ApiCall(Verb.LIST, path, null, null);
  }

  public static ApiCall watch(String path) {
    return new ApiCall(Verb.WATCH, path, null, null);
  }

  public static ApiCall create(String path, String body) {
    return new ApiCall(Verb.CREATE, path, JSON, body);
  }

  public static ApiCall mergePatch(String path, String body) {
    return new ApiCall(Verb.PATCH, path, "application/merge-patch+json", body);
  }

  /** Server-side apply: creates the object, or updates the fields that we applied before. */
  public static ApiCall apply(String path, String body) {
    return new ApiCall(
        Verb.PATCH,
        path + "?fieldManager=drydock&force=true",
        "application/apply-patch+yaml",
        body);
  }

  public static ApiCall strategicPatch(String path, String body) {
    return new ApiCall(Verb.PATCH, path, "application/strategic-merge-patch+json", body);
  }

  public static ApiCall delete(String path, String body) {
    return new ApiCall(Verb.DELETE, path, JSON, body);
  }

  /** Whether it removes a pod: there may be many of these, and each may take long. */
  boolean removesPod() {
    return switch (verb) {
      case CREATE -> path.contains("/eviction");
      case DELETE -> path.contains("/pods/");
      case GET, LIST, WATCH, PATCH -> false;
    };
  }

  /** Whether it renews or reads a Lease, which must not wait for anything else. */
  boolean isAboutLease() {
    return verb != Verb.WATCH && path.startsWith("/apis/coordination.k8s.io/");
  }

  /** Encodes a query value or a name in a path. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}

package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;
import java.util.stream.Collectors;

/** A request that the server refuses, with the message of a real API server. */
public final class StatusException extends RuntimeException {
  private final int code;
  private final String reason;
  private final ObjectNode details = JsonTrees.object();

  /** The reason may be empty. */
  public StatusException(int code, String reason, String message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }

  public static StatusException badRequest(String message) {
    return new StatusException(400, "BadRequest", message);
  }

  public static StatusException forbidden(ResourceType type, String name, String why) {
    return new StatusException(
            403, "Forbidden", "%s \"%s\" is forbidden: %s".formatted(type.qualified(), name, why))
        .about(type, name);
  }

  public static StatusException notFound(ResourceType type, String name) {
    return new StatusException(
            404, "NotFound", "%s \"%s\" not found".formatted(type.qualified(), name))
        .about(type, name);
  }

  /** For a path that a real server does not serve either. */
  public static StatusException noSuchResource() {
    return new StatusException(404, "NotFound", "the server could not find the requested resource");
  }

  public static StatusException methodNotAllowed() {
    return new StatusException(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }

  public static StatusException alreadyExists(ResourceType type, String name) {
    return new StatusException(
            409, "AlreadyExists", "%s \"%s\" already exists".formatted(type.qualified(), name))
        .about(type, name);
  }

  public static StatusException conflict(ResourceType type, String name, String why) {
    return new StatusException(
            409,
            "Conflict",
            "Operation cannot be fulfilled on %s \"%s\": %s".formatted(type.qualified(), name, why))
        .about(type, name);
  }

  public static StatusException expired(String message) {
    return new StatusException(410, "Expired", message);
  }

  public static StatusException unsupportedMediaType(String message) {
    return new StatusException(415, "UnsupportedMediaType", message);
  }

  public static StatusException invalid(ResourceType type, String name, List<Cause> causes) {
    String all =
        causes.stream()
            .map(cause -> cause.field() + ": " + cause.message())
            .collect(Collectors.joining(", "));
    String listed = causes.size() > 1 ? "[" + all + "]" : all;
    return new StatusException(
            422,
            "Invalid",
            "%s \"%s\" is invalid: %s".formatted(type.qualifiedKind(), name, listed))
        .about(type, name)
        .because(causes);
  }

  /** A request parameter has an unsupported value. */
  public static StatusException notAnOption(
      String kind, String option, String value, List<String> supported) {
    String all = supported.stream().map("\"%s\""::formatted).collect(Collectors.joining(", "));
    String why = "Unsupported value: \"%s\": supported values: %s".formatted(value, all);
    return invalidOption(kind, new Cause("FieldValueNotSupported", option, why));
  }

  public static StatusException invalidOption(String kind, Cause cause) {
    StatusException failure =
        new StatusException(
            422,
            "Invalid",
            "%s.meta.k8s.io \"\" is invalid: %s: %s"
                .formatted(kind, cause.field(), cause.message()));
    failure.details.put("group", "meta.k8s.io").put("kind", kind);
    return failure.because(List.of(cause));
  }

  /** Errors for which a real server reports an internal error although the request is at fault. */
  public static StatusException unexplained(String message) {
    return new StatusException(500, "", message);
  }

  public static StatusException internal(String message) {
    return new StatusException(500, "InternalError", "Internal error occurred: " + message);
  }

  /** A feature of a real server that is not simulated: refused, so that no test relies on it. */
  public static StatusException notSimulated(String what) {
    return new StatusException(501, "NotImplemented", "not simulated: " + what);
  }

  public static StatusException versionNotReached(long asked, long current) {
    StatusException failure =
        new StatusException(
            504,
            "Timeout",
            "Timeout: Too large resource version: %d, current: %d".formatted(asked, current));
    failure.details.put("retryAfterSeconds", 1);
    return failure.because(
        List.of(new Cause("ResourceVersionTooLarge", "", "Too large resource version")));
  }

  public StatusException about(ResourceType type, String name) {
    if (!name.isEmpty()) {
      details.put("name", name);
    }
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", code == 422 ? type.names().kind() : type.names().plural());
    return this;
  }

  public StatusException because(List<Cause> causes) {
    causes.forEach(cause -> details.withArray("causes").add(cause.json()));
    return this;
  }

  /** With a retry-after time; zero for none. */
  public StatusException retryAfter(int seconds) {
    if (seconds > 0) {
      details.put("retryAfterSeconds", seconds);
    }
    return this;
  }

  public int code() {
    return code;
  }

  /** Seconds, or zero. */
  public int retryAfterSeconds() {
    return details.path("retryAfterSeconds").asInt();
  }

  public ObjectNode status() {
    ObjectNode status = Status.of("Failure", code);
    status.put("message", getMessage());
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    if (!details.isEmpty()) {
      status.set("details", details);
    }
    return status;
  }
}

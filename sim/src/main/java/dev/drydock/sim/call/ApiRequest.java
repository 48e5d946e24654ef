package dev.drydock.sim.call;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** An incoming request, with the warnings to return with its answer. */
final class ApiRequest {
  private static final ObjectMapper YAML = new YAMLMapper();

  private final String method;
  private final URI uri;
  private final UnaryOperator<String> headers;
  private final byte[] body;
  private final Set<String> warnings = new LinkedHashSet<>();

  /** Empty for an absent header. */
  ApiRequest(String method, URI uri, UnaryOperator<String> headers, byte[] body) {
    this.method = method;
    this.uri = uri;
    this.headers = headers;
    this.body = body;
  }

  String method() {
    return method;
  }

  URI uri() {
    return uri;
  }

  /** The media type of the body, without parameters. */
  String contentType() {
    return headers.apply("Content-Type").replaceFirst(";.*", "").strip();
  }

  /** The Accept header. */
  String accept() {
    return headers.apply("Accept");
  }

  /** The impersonated user, or empty. */
  String user() {
    return headers.apply("Impersonate-User");
  }

  /** The field manager. */
  String fieldManager() {
    String named = parameter("fieldManager");
    return named.isEmpty() ? headers.apply("User-Agent").replaceFirst("/.*", "") : named;
  }

  boolean hasBody() {
    return body.length > 0;
  }

  void warn(String text) {
    warnings.add(text);
  }

  Set<String> warnings() {
    return warnings;
  }

  List<String> segments() {
    List<String> segments = new ArrayList<>();
    for (String segment : uri.getRawPath().split("/", -1)) {
      if (!segment.isEmpty()) {
        segments.add(decoded(segment));
      }
    }
    return segments;
  }

  /** The query parameters; for repeated names, the last value. */
  Map<String, String> query() {
    Map<String, String> query = new HashMap<>();
    if (uri.getRawQuery() != null) {
      for (String parameter : uri.getRawQuery().split("&", -1)) {
        String[] parts = parameter.split("=", 2);
        query.put(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
      }
    }
    return query;
  }

  String parameter(String name) {
    return query().getOrDefault(name, "");
  }

  boolean isSet(String name) {
    String value = parameter(name);
    return value.equals("true") || value.equals("1");
  }

  /** Whether the query asks for a dry run. */
  boolean dryRun() {
    return switch (parameter("dryRun")) {
      case "" -> false;
      case "All" -> true;
      default ->
          throw StatusException.notAnOption(
              optionsKind(), "dryRun", parameter("dryRun"), List.of("All"));
    };
  }

  String optionsKind() {
    return switch (method) {
      case "POST" -> "CreateOptions";
      case "PATCH" -> "PatchOptions";
      case "DELETE" -> "DeleteOptions";
      default -> "UpdateOptions";
    };
  }

  JsonNode json() {
    String type = contentType();
    try {
      if (type.equals(Protobuf.TYPE)) {
        return Protobuf.read(body);
      }
      if (!type.isEmpty() && !type.endsWith("json") && !type.endsWith("yaml")) {
        throw StatusException.unsupportedMediaType(
            "the body of the request was in an unknown format: " + type);
      }
      return (type.endsWith("yaml") ? YAML : JsonTrees.MAPPER).readTree(body);
    } catch (JsonProcessingException e) {
      throw StatusException.badRequest("the body cannot be read: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw StatusException.badRequest("the body cannot be read: " + e.getMessage());
    }
  }

  ObjectNode object() {
    if (json() instanceof ObjectNode object) {
      return object;
    }
    throw StatusException.badRequest("the body of the request must be an object");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}

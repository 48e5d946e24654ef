package dev.drydock.sim.call;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.sim.api.ApiFailure;
import dev.drydock.sim.json.Json;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A request as it came in. The content type is without parameters, the user may be empty. */
record ApiRequest(String method, URI uri, String contentType, String user, String body) {
  private static final ObjectMapper YAML = new YAMLMapper();

  List<String> segments() {
    List<String> segments = new ArrayList<>();
    for (String segment : uri.getRawPath().split("/", -1)) {
      if (!segment.isEmpty()) {
        segments.add(decoded(segment));
      }
    }
    return segments;
  }

  /** The parameters of the address; of several with the same name, the last. */
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

  /** Whether the address asks for a dry run. */
  boolean dryRun() {
    return switch (parameter("dryRun")) {
      case "" -> false;
      case "All" -> true;
      default ->
          throw ApiFailure.notAnOption(
              optionsKind(), "dryRun", parameter("dryRun"), List.of("All"));
    };
  }

  private String optionsKind() {
    return switch (method) {
      case "POST" -> "CreateOptions";
      case "PATCH" -> "PatchOptions";
      case "DELETE" -> "DeleteOptions";
      default -> "UpdateOptions";
    };
  }

  JsonNode json() {
    if (!contentType.isEmpty() && !contentType.endsWith("json") && !contentType.endsWith("yaml")) {
      throw ApiFailure.unsupportedMediaType(
          "the body of the request was in an unknown format: " + contentType);
    }
    try {
      return (contentType.endsWith("yaml") ? YAML : Json.MAPPER).readTree(body);
    } catch (JsonProcessingException e) {
      throw ApiFailure.badRequest("the body cannot be read: " + e.getOriginalMessage());
    }
  }

  ObjectNode object() {
    if (json() instanceof ObjectNode object) {
      return object;
    }
    throw ApiFailure.badRequest("the body of the request must be an object");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}

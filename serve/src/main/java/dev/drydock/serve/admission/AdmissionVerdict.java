package dev.drydock.serve.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of an admission request.
 *
 * @param refusals one line per invalid field; empty allows the request
 * @param warnings lines that are shown to the author of the request, allowed or not
 * @param patch operations of a JSON patch that change the object; ignored if it is refused
 */
public record AdmissionVerdict(List<String> refusals, List<String> warnings, List<JsonNode> patch) {
  public static final AdmissionVerdict ALLOWED =
      new AdmissionVerdict(List.of(), List.of(), List.of());

  public AdmissionVerdict {
    refusals = List.copyOf(refusals);
    warnings = List.copyOf(warnings);
    patch = List.copyOf(patch);
  }

  /** Allowed unless there are refusals. */
  public static AdmissionVerdict unless(List<String> refusals) {
    return new AdmissionVerdict(refusals, List.of(), List.of());
  }

  public boolean isAllowed() {
    return refusals.isEmpty();
  }

  public AdmissionVerdict warning(String line) {
    return new AdmissionVerdict(refusals, and(warnings, line), patch);
  }

  /** Sets a field whose parent exists; of a list, adds an element (its index, or {@code -}). */
  public AdmissionVerdict adding(String path, JsonNode value) {
    return changing(operation("add", path).set("value", value));
  }

  /** Replaces a field that exists. */
  public AdmissionVerdict replacing(String path, JsonNode value) {
    return changing(operation("replace", path).set("value", value));
  }

  /** Removes a field that exists. */
  public AdmissionVerdict removing(String path) {
    return changing(operation("remove", path));
  }

  private AdmissionVerdict changing(JsonNode operation) {
    return new AdmissionVerdict(refusals, warnings, and(patch, operation));
  }

  /** Where a field is, for a patch; names may hold slashes, as those of labels do. */
  public static String path(String... names) {
    return Stream.of(names)
        .map(name -> "/" + name.replace("~", "~0").replace("/", "~1"))
        .collect(Collectors.joining());
  }

  private static ObjectNode operation(String name, String path) {
    return Json.object().put("op", name).put("path", path);
  }

  private static <T> List<T> and(List<T> before, T one) {
    List<T> all = new ArrayList<>(before);
    all.add(one);
    return all;
  }
}

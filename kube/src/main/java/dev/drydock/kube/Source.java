package dev.drydock.kube;

import java.util.List;

/** What is listed and watched, e.g. {@code /api/v1/pods} with an encoded query, or an empty one. */
public record Source(String path, String query) {
  public static Source of(String path) {
    return new Source(path, "");
  }

  /** The pods of a node. */
  public static Source podsOn(String node) {
    return Resource.PODS.all().fieldSelector("spec.nodeName=" + node);
  }

  /** All pods that a node has been found for. */
  public static Source podsOnNodes() {
    return Resource.PODS.all().fieldSelector("spec.nodeName!=");
  }

  /** The path with its query and another parameter. */
  public String with(String more) {
    return path + "?" + (query.isEmpty() ? more : query + "&" + more);
  }

  public Source fieldSelector(String selector) {
    return new Source(path, extended("fieldSelector=" + ApiCall.encode(selector)));
  }

  public Source labelSelector(String selector) {
    return new Source(path, extended("labelSelector=" + ApiCall.encode(selector)));
  }

  private String extended(String parameter) {
    return query.isEmpty() ? parameter : query + "&" + parameter;
  }

  /** What kind of objects these are, wherever they are: e.g. {@code jobs.batch}. */
  public String resource() {
    List<String> parts = List.of(path.substring(1).split("/", -1));
    String group = parts.getFirst().equals("apis") && parts.size() > 1 ? "." + parts.get(1) : "";
    return parts.getLast() + group;
  }

  @Override
  public String toString() {
    return query.isEmpty() ? path : path + "?" + query;
  }
}

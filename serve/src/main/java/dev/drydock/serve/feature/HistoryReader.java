package dev.drydock.serve.feature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.UnreadableObject;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads what a cluster knows of one node's past. */
public final class HistoryReader {
  private static final Source EVENTS = Source.of("/api/v1/events");

  private final KubeHttp http;
  private final String node;
  private final Optional<String> id;
  private final Instant now;
  private final List<String> notes = new ArrayList<>();

  /**
   * @param id of the only task that is wanted
   */
  public HistoryReader(KubeHttp http, String node, Optional<String> id, Instant now) {
    this.http = http;
    this.node = node;
    this.id = id;
    this.now = now;
  }

  public String node() {
    return node;
  }

  /** Of the only task that is wanted; empty for all. */
  public Optional<String> id() {
    return id;
  }

  public Instant now() {
    return now;
  }

  /** What could not be read, and why. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * The objects of a list. What is not installed has none; what may not be seen or cannot be read
   * is noted.
   */
  public <T> List<T> list(String plural, Source source, Function<JsonNode, T> reader) {
    List<T> found = new ArrayList<>();
    KubeAnswer answer =
        http.list(
            source,
            UnreadableObject.leftOut(
                reader, found::add, bad -> notes.add(plural + ": " + bad.getMessage())));
    if (answer.code() == HttpURLConnection.HTTP_FORBIDDEN) {
      notes.add(plural + " are not told: " + answer.message());
    } else if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      var _ = answer.orThrow("list of " + plural);
    }
    return found;
  }

  /** The Events about all objects of a kind. */
  public List<RecordedEvent> events(String plural, String kind) {
    return list(
        "Events of " + plural,
        EVENTS.fieldSelector("involvedObject.kind=" + kind),
        RecordedEvent::read);
  }

  /** The Events about the node. */
  public List<RecordedEvent> nodeEvents() {
    return list(
        "Events of the node",
        EVENTS.fieldSelector("involvedObject.kind=Node,involvedObject.name=" + node),
        RecordedEvent::read);
  }
}

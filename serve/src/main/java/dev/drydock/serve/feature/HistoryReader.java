package dev.drydock.serve.feature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.UnreadableObject;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the recorded history of one node from the cluster. */
public final class HistoryReader {
  private final KubeHttp http;
  private final String node;
  private final Optional<String> id;
  private final Clock clock;
  private final List<String> notes = new ArrayList<>();

  /**
   * @param id of the only task that is wanted
   */
  public HistoryReader(KubeHttp http, String node, Optional<String> id, Clock clock) {
    this.http = http;
    this.node = node;
    this.id = id;
    this.clock = clock;
  }

  public String node() {
    return node;
  }

  /** The ID of the only task that is wanted; empty for all. */
  public Optional<String> id() {
    return id;
  }

  /** The time at the call: later than what was read before it. */
  public Instant now() {
    return clock.instant();
  }

  /** What could not be read, and why. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * The objects of a list; empty if the CRD is not installed. A missing permission and objects that
   * cannot be parsed are noted.
   */
  public <T> List<T> list(String plural, Source source, Function<JsonNode, T> reader) {
    List<T> found = new ArrayList<>();
    KubeAnswer answer =
        http.list(
            source,
            UnreadableObject.leftOut(
                reader, found::add, bad -> notes.add(plural + ": " + bad.getMessage())));
    if (answer.code() == HttpURLConnection.HTTP_FORBIDDEN) {
      notes.add(plural + " are not shown: " + answer.message());
    } else if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      var _ = answer.orThrow("list of " + plural);
    }
    return found;
  }

  /** The Events about all objects of a kind. */
  public List<RecordedEvent> events(String plural, String kind) {
    return list(
        "Events of " + plural,
        Resource.EVENTS.all().fieldSelector("involvedObject.kind=" + kind),
        RecordedEvent::read);
  }

  /** The Events about the node. */
  public List<RecordedEvent> nodeEvents() {
    return list(
        "Events of the node",
        Resource.EVENTS.all().fieldSelector("involvedObject.kind=Node,involvedObject.name=" + node),
        RecordedEvent::read);
  }
}

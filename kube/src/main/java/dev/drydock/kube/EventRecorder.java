package dev.drydock.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records Events about objects. Best effort: an Event that cannot be written is logged and changes
 * nothing else.
 */
public final class EventRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  /** The API accepts exactly six fractional digits. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** In bytes; the API server refuses more than 1,024. */
  private static final int LONGEST_NOTE = 1000;

  private final KubeHttp http;
  private final Clock clock;

  /**
   * The object that an Event is about.
   *
   * @param namespace empty for cluster-scoped objects; their Events are in "default"
   */
  public record Regarding(
      String apiVersion, String kind, String namespace, String name, String uid) {}

  /**
   * The Event's type, reason and action, from a fixed set.
   *
   * @param annotations of the Event, for programs: a note is for people only
   */
  public record Occurrence(
      boolean warning, String reason, String action, Map<String, String> annotations) {
    public Occurrence {
      annotations = Map.copyOf(annotations);
    }

    public Occurrence(boolean warning, String reason, String action) {
      this(warning, reason, action, Map.of());
    }
  }

  public EventRecorder(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
  }

  public void record(Regarding regarding, Occurrence occurrence, String note) {
    send(regarding, occurrence, note, "generateName", regarding.name() + "-");
  }

  /**
   * Records an Event unless it is there already, also by another process.
   *
   * @param key what happened once, such as a UID
   */
  public void recordOnce(Regarding regarding, Occurrence occurrence, String note, String key) {
    String end = "-%08x".formatted((occurrence.reason() + key).hashCode());
    send(
        regarding,
        occurrence,
        note,
        "name",
        ObjectName.of(regarding.name(), regarding.name(), end));
  }

  private void send(
      Regarding regarding, Occurrence occurrence, String note, String naming, String name) {
    String namespace = regarding.namespace().isEmpty() ? "default" : regarding.namespace();
    ObjectNode event = Json.object();
    event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
    ObjectNode metadata = event.putObject("metadata");
    metadata.put(naming, name).put("namespace", namespace);
    if (!occurrence.annotations().isEmpty()) {
      occurrence.annotations().forEach(metadata.putObject("annotations")::put);
    }
    event.put("eventTime", MICROS.format(Instant.now(clock)));
    event.put("reportingController", "drydock.dev").put("reportingInstance", "drydock");
    event.put("action", occurrence.action()).put("reason", occurrence.reason());
    event.put("type", occurrence.warning() ? "Warning" : "Normal");
    event.put("note", cut(note));
    ObjectNode about = event.putObject("regarding");
    about.put("apiVersion", regarding.apiVersion()).put("kind", regarding.kind());
    about.put("name", regarding.name()).put("uid", regarding.uid());
    if (!regarding.namespace().isEmpty()) {
      about.put("namespace", regarding.namespace());
    }
    String path = "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
    KubeAnswer answer = http.send(ApiCall.create(path, event.toString()));
    boolean there = answer.code() == HttpURLConnection.HTTP_CONFLICT && naming.equals("name");
    if (!answer.ok() && !there) {
      LOG.warn(
          "cannot record Event {} on {} {}: {}",
          occurrence.reason(),
          regarding.kind(),
          regarding.name(),
          answer.message());
    }
  }

  /** Without half a character at the end. */
  private static String cut(String note) {
    byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
    int end = Math.min(bytes.length, LONGEST_NOTE);
    while (end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}

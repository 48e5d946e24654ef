package dev.drydock.health.nodeevent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Events of Nodes, of which one that says the same is counted instead of created, and a repeat
 * within minutes writes nothing. Thread-safe.
 *
 * @param <K> what an Event says; equal ones are one Event
 */
public final class CountedEvents<K> {
  private static final String NAMESPACE = "default";

  /** A repeat within this time writes nothing; the cluster forgets Events after an hour. */
  public static final Duration QUIET = Duration.ofMinutes(10);

  private final Kube kube;
  private final int mostKept;
  private final Map<K, Written> written = new LinkedHashMap<>();

  private record Written(String name, int count, Instant at) {}

  /**
   * What came of an attempt.
   *
   * @param created whether the Event was new, and not counted
   */
  public record Result(boolean created, KubeAnswer answer) {
    /** Also if the Event was there: an earlier process has created it. */
    public boolean ok() {
      return answer.ok() || (created && answer.code() == HttpURLConnection.HTTP_CONFLICT);
    }
  }

  /**
   * @param mostKept how many Events are remembered
   */
  public CountedEvents(Kube kube, int mostKept) {
    this.kube = kube;
    this.mostKept = mostKept;
  }

  /** Whether it was said before, as far as is remembered. */
  public boolean isKnown(K said) {
    return find(said) != null;
  }

  /** Whether it was said a short time ago, so that it need not be repeated. */
  public boolean isQuiet(K said, Instant now) {
    Written before = find(said);
    return before != null && now.isBefore(before.at().plus(QUIET));
  }

  /**
   * Creates the Event, or counts it once more.
   *
   * @param event makes it; told whether it was there before, and the cluster has forgotten it
   */
  public Result record(K said, Instant now, Function<Boolean, ObjectNode> event) {
    Written before = find(said);
    if (before != null) {
      KubeAnswer counted = count(before, now);
      if (counted.code() != HttpURLConnection.HTTP_NOT_FOUND) {
        if (counted.ok()) {
          put(said, new Written(before.name(), before.count() + 1, now));
        }
        return new Result(false, counted);
      }
    }
    ObjectNode made = event.apply(before != null);
    Result result =
        new Result(
            true,
            kube.http()
                .send(ApiCall.create(Resource.EVENTS.collection(NAMESPACE), made.toString())));
    if (result.ok()) {
      JsonNode named = result.answer().ok() ? result.answer().body() : made;
      put(said, new Written(Fields.text(named.path("metadata"), "name"), 1, now));
    }
    return result;
  }

  private KubeAnswer count(Written before, Instant now) {
    ObjectNode patch = Json.object().put("count", before.count() + 1);
    patch.put("lastTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
    return kube.http()
        .send(ApiCall.mergePatch(Resource.EVENTS.path(NAMESPACE, before.name()), patch.toString()));
  }

  /**
   * An Event about a Node, which happened once.
   *
   * @param uid of the Node
   */
  public static ObjectNode about(String node, String uid, Instant time) {
    String seconds = time.truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode event = Json.object().put("apiVersion", "v1").put("kind", "Event");
    event.putObject("metadata").put("namespace", NAMESPACE);
    event
        .putObject("involvedObject")
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", node)
        .put("uid", uid);
    event.put("count", 1).put("firstTimestamp", seconds).put("lastTimestamp", seconds);
    return event;
  }

  private synchronized @Nullable Written find(K said) {
    return written.get(said);
  }

  private synchronized void put(K said, Written now) {
    written.remove(said);
    written.put(said, now);
    if (written.size() > mostKept) {
      written.remove(written.keySet().iterator().next());
    }
  }
}

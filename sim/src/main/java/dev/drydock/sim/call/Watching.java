package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.Store;
import dev.drydock.sim.store.VersionForgotten;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One watch: the changes of the selected objects. Its timeout runs in real time, because it limits
 * the caller's connection and not the cluster.
 */
final class Watching implements ApiResponse.Lines {
  private static final Duration LONGEST = Duration.ofMinutes(30);
  private static final Duration BETWEEN_BOOKMARKS = Duration.ofMinutes(1);

  /** How long before its end a watch sends a bookmark. */
  private static final Duration LAST_BOOKMARK = Duration.ofSeconds(2);

  private static final String ALL_SENT = "k8s.io/initial-events-end";

  private final Store store;
  private final WatchQueues queues;
  private final Target target;
  private final Selection selection;
  private final boolean bookmarks;
  private final boolean tellsWhenAllSent;
  private final boolean beginsWithState;
  private final Duration patience;
  private final long from;
  private final Presentation presentation;

  Watching(WatchQueues queues, ApiRequest request, Target target, Presentation presentation) {
    this.queues = queues;
    this.store = queues.store();
    this.presentation = presentation;
    this.target = target;
    this.selection = Selection.of(request, target);
    this.bookmarks = request.isSet("allowWatchBookmarks");
    this.tellsWhenAllSent = request.isSet("sendInitialEvents");
    if (tellsWhenAllSent && !request.parameter("resourceVersionMatch").equals("NotOlderThan")) {
      throw StatusException.invalid(
          target.type(),
          "",
          List.of(
              Cause.forbidden(
                  "resourceVersionMatch",
                  "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")));
    }
    String version = request.parameter("resourceVersion");
    this.from = version.isEmpty() ? 0 : Versions.parse(version);
    this.beginsWithState =
        tellsWhenAllSent || (from == 0 && !request.parameter("sendInitialEvents").equals("false"));
    String timeout = request.parameter("timeoutSeconds");
    this.patience =
        timeout.isEmpty() || timeout.equals("0")
            ? LONGEST
            : Duration.ofSeconds(Versions.parse(timeout));
    long current = store.version();
    if (from > current) {
      throw StatusException.versionNotReached(from, current);
    }
  }

  @Override
  public void writeTo(CallInterceptor.Lines sink) throws IOException, InterruptedException {
    // opened first, so that nothing is missed in between
    try (WatchQueue queue = queues.open(resource(), selection.exact())) {
      ApiResponse.Following following = follow(sink);
      if (following.begin()) {
        follow(following, queue);
      }
    }
  }

  private long since(long version) {
    return version == 0 ? store.version() : version;
  }

  private static void sendExpired(VersionForgotten why, CallInterceptor.Lines sink)
      throws IOException {
    sink.send(event("ERROR", StatusException.expired(String.valueOf(why.getMessage())).status()));
  }

  @Override
  public ApiResponse.Following follow(CallInterceptor.Lines sink) {
    return new ApiResponse.Following() {
      private long cursor;

      @Override
      public String resource() {
        return Watching.this.resource();
      }

      @Override
      public Duration patience() {
        return patience;
      }

      @Override
      public Optional<FieldSelector.Exact> exact() {
        return selection.exact();
      }

      @Override
      public boolean begin() throws IOException {
        try {
          Store.Batch batch =
              store.after(resource(), beginsWithState ? sendState(sink) : since(from));
          for (ObjectChange stored : batch.events()) {
            Watching.this.send(stored, sink);
          }
          cursor = batch.upTo();
          return true;
        } catch (VersionForgotten e) {
          sendExpired(e, sink);
          return false;
        }
      }

      @Override
      public void send(ObjectChange stored) throws IOException {
        if (stored.version() > cursor) {
          cursor = stored.version();
          Watching.this.send(stored, sink);
        }
      }

      @Override
      public boolean isOpen() {
        return store.keeps(resource());
      }

      @Override
      public void end(long version) throws IOException {
        if (bookmarks) {
          sink.send(shown("BOOKMARK", bookmark(Math.max(cursor, version))));
        }
      }
    };
  }

  private long sendState(CallInterceptor.Lines sink) throws IOException {
    Store.Snapshot state = store.list(resource(), Listing.namespace(target));
    for (ObjectNode object : state.objects()) {
      if (selection.matches(object)) {
        sink.send(shown("ADDED", type().served(object)));
      }
    }
    if (tellsWhenAllSent && bookmarks) {
      ObjectNode bookmark = bookmark(state.version());
      JsonTrees.child(JsonTrees.metadata(bookmark), "annotations").put(ALL_SENT, "true");
      sink.send(shown("BOOKMARK", bookmark));
    }
    return state.version();
  }

  private void follow(ApiResponse.Following following, WatchQueue queue)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    long lastBookmark = end - LAST_BOOKMARK.toNanos();
    long nextBookmark = Math.min(System.nanoTime() + BETWEEN_BOOKMARKS.toNanos(), lastBookmark);
    while (System.nanoTime() - end < 0 && following.isOpen() && !queue.isBehind()) {
      long until = bookmarks ? Math.min(nextBookmark, end) : end;
      Duration wait = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
      for (ObjectChange stored : queue.take(wait)) {
        following.send(stored);
      }
      if (bookmarks && System.nanoTime() - nextBookmark >= 0) {
        following.end(queue.takenUpTo());
        long now = System.nanoTime();
        nextBookmark =
            now - lastBookmark >= 0
                ? end
                : Math.min(now + BETWEEN_BOOKMARKS.toNanos(), lastBookmark);
      }
    }
  }

  /** An object that enters the selection is reported as added, one that leaves it as deleted. */
  private void send(ObjectChange stored, CallInterceptor.Lines sink) throws IOException {
    ObjectNode previous = stored.previous();
    boolean before = isMeant(stored, previous);
    boolean now = stored.type() != ObjectChange.Type.DELETED && isMeant(stored, stored.object());
    if (now) {
      sink.send(shown(before ? "MODIFIED" : "ADDED", type().served(stored.object())));
    } else if (before) {
      sink.send(shown("DELETED", type().served(lastSeen(stored))));
    }
  }

  private static ObjectNode lastSeen(ObjectChange stored) {
    ObjectNode previous = stored.previous();
    if (stored.type() == ObjectChange.Type.DELETED || previous == null) {
      return stored.object();
    }
    ObjectNode last = previous.deepCopy();
    JsonTrees.metadata(last).put("resourceVersion", Long.toString(stored.version()));
    return last;
  }

  private boolean isMeant(ObjectChange stored, @Nullable ObjectNode object) {
    String namespace = target.namespace();
    return object != null
        && (namespace.isEmpty() || namespace.equals(stored.key().namespace()))
        && selection.matches(object);
  }

  private ObjectNode bookmark(long version) {
    ObjectNode bookmark = JsonTrees.object().put("kind", type().names().kind());
    bookmark.put("apiVersion", type().apiVersion());
    JsonTrees.metadata(bookmark).put("resourceVersion", Long.toString(version));
    return bookmark;
  }

  private ObjectNode shown(String type, ObjectNode object) {
    return event(type, presentation.showNext(object));
  }

  private static ObjectNode event(String type, JsonNode object) {
    ObjectNode event = JsonTrees.object().put("type", type);
    event.set("object", object);
    return event;
  }

  private ResourceType type() {
    return target.type();
  }

  private String resource() {
    return target.type().resource();
  }
}

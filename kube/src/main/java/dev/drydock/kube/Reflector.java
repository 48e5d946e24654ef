package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps facts of one kind of object up to date by a list and a watch, until closed. Objects are
 * known by UID. A watch that the server ends in order is resumed where it stopped; after any
 * failure a new list is taken. Until that works the facts are old, and {@link State#unsynced} says
 * why.
 */
public final class Reflector<T> implements AutoCloseable {
  /** The server ends a watch after this time; a connection that silently broke shows then. */
  private static final Duration WATCH_TIME = Duration.ofMinutes(3);

  /** Why nothing is known in the first moment. */
  public static final String NOT_LISTED = "not listed yet";

  private static final Duration SLACK = Duration.ofSeconds(20);

  /** What is listed, e.g. {@code /api/v1/pods} with an encoded query, or an empty one. */
  public record Source(String path, String query) {
    public String with(String more) {
      return path + "?" + (query.isEmpty() ? more : query + "&" + more);
    }
  }

  /**
   * What is kept of the objects.
   *
   * @param reader null for an object that is of no interest
   * @param group by which facts can be had apart
   */
  public record Kind<T>(
      Source source, Function<JsonNode, @Nullable T> reader, Function<T, String> group) {
    public static <T> Kind<T> of(Source source, Function<JsonNode, @Nullable T> reader) {
      return new Kind<>(source, reader, fact -> "");
    }

    public Kind<T> groupedBy(Function<T, String> other) {
      return new Kind<>(source, reader, other);
    }
  }

  /** Told after each change, on any thread; before and after are null for what is new or gone. */
  public interface Listener<T> {
    void changed(@Nullable T before, @Nullable T after);

    /** Everything may be different, or it is known no longer. */
    void refreshed();
  }

  /** Wakes on every change. */
  public record Waker<T>(Runnable wake) implements Listener<T> {
    @Override
    public void changed(@Nullable T before, @Nullable T after) {
      wake.run();
    }

    @Override
    public void refreshed() {
      wake.run();
    }
  }

  /**
   * What is known now.
   *
   * @param unsynced why it is not known, or not any more
   * @param forbidden the server does not let us look, which waiting does not change
   */
  public record State<T>(List<T> items, Optional<String> unsynced, boolean forbidden) {}

  private final KubeHttp http;
  private final Kind<T> kind;
  private final Listener<T> listener;
  private final Backoff backoff;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, T> items = new HashMap<>();
  private final Map<String, Map<String, T>> groups = new HashMap<>();
  private Optional<String> unsynced = Optional.of(NOT_LISTED);
  private boolean forbidden;

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile KubeHttp.Watching watching = new KubeHttp.Watching();
  private volatile String version = "";
  private volatile boolean relist = true;
  private int failures;

  public Reflector(KubeHttp http, Kind<T> kind, Listener<T> listener, Backoff backoff) {
    this.http = http;
    this.kind = kind;
    this.listener = listener;
    this.backoff = backoff;
  }

  /** Takes facts by UID that were just read, as of a version, for the list; watches from there. */
  public void startFrom(Map<String, T> all, String listVersion) {
    replace(all);
    version = listVersion;
    relist = false;
    start();
  }

  public void start() {
    Thread.ofVirtual().name("watch " + kind.source.path()).start(this::follow);
  }

  public State<T> state() {
    lock.lock();
    try {
      return state(List.copyOf(items.values()));
    } finally {
      lock.unlock();
    }
  }

  public State<T> state(String group) {
    lock.lock();
    try {
      return state(List.copyOf(groups.getOrDefault(group, Map.of()).values()));
    } finally {
      lock.unlock();
    }
  }

  private State<T> state(List<T> facts) {
    return new State<>(facts, unsynced, forbidden);
  }

  /** Lets go of the facts of a group that nobody asks for any more. */
  public void forget(String group) {
    lock.lock();
    try {
      items.keySet().removeAll(groups.getOrDefault(group, Map.of()).keySet());
      groups.remove(group);
    } finally {
      lock.unlock();
    }
  }

  private void follow() {
    try {
      while (closed.getCount() > 0) {
        Optional<String> failure = relist ? list() : watch();
        if (failure.isEmpty()) {
          failures = 0;
        } else if (closed.getCount() > 0) {
          failures++;
          // What was missed meanwhile is unknown, so only a new list makes the facts whole again.
          relist = true;
          unsynced(failure.get());
          if (closed.await(backoff.after(failures).toMillis(), TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException broken) {
      // Nobody would restart this thread, so whoever depends on it must see that it is over.
      unsynced("given up: " + broken);
      throw broken;
    }
  }

  private Optional<String> list() {
    Map<String, T> all = new HashMap<>();
    KubeAnswer answer = http.list(kind.source, object -> read(object, all));
    if (!answer.ok()) {
      // A token that has expired is answered with 410; a new list begins without one.
      setForbidden(answer.code() == HttpURLConnection.HTTP_FORBIDDEN);
      return Optional.of(answer.message());
    }
    version = text(answer.body().path("metadata"), "resourceVersion");
    relist = false;
    replace(all);
    return Optional.empty();
  }

  private void read(JsonNode object, Map<String, T> all) {
    T fact = kind.reader.apply(object);
    if (fact != null) {
      all.put(uid(object), fact);
    }
  }

  private Optional<String> watch() {
    String query =
        "watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(version, WATCH_TIME.toSeconds());
    KubeHttp.Watching handle = new KubeHttp.Watching();
    watching = handle;
    if (closed.getCount() == 0) {
      return Optional.empty();
    }
    KubeHttp.WatchEnd end =
        http.watch(kind.source.with(query), WATCH_TIME.plus(SLACK), handle, this::event);
    if (end.answer().code() == HttpURLConnection.HTTP_GONE) {
      relist = true;
      return Optional.empty();
    }
    if (!end.answer().ok()) {
      return Optional.of(end.answer().message());
    }
    return relist ? Optional.of("the watch failed") : end.broken();
  }

  /** False ends the watch. */
  private boolean event(byte[] line, int length) {
    JsonNode event;
    try {
      event = Json.read(line, length);
    } catch (IOException cutOff) {
      relist = true;
      return false;
    }
    JsonNode object = event.path("object");
    String eventVersion = text(object.path("metadata"), "resourceVersion");
    if (ResourceVersion.isNewer(version, eventVersion) && !eventVersion.isEmpty()) {
      relist = true; // something came out of order, so nobody knows what is missing
      return false;
    }
    switch (text(event, "type")) {
      case "ADDED", "MODIFIED" -> put(uid(object), kind.reader.apply(object));
      case "DELETED" -> put(uid(object), null);
      case "BOOKMARK" -> {}
      default -> {
        // An ERROR: most likely the version is too old to go on from.
        relist = true;
        return false;
      }
    }
    version = eventVersion;
    return true;
  }

  private void put(String uid, @Nullable T after) {
    T before;
    lock.lock();
    try {
      before = items.remove(uid);
      if (before != null) {
        groups.getOrDefault(kind.group.apply(before), Map.of()).remove(uid);
      }
      if (after != null) {
        add(uid, after);
      }
      unsynced = Optional.empty();
    } finally {
      lock.unlock();
    }
    if (before != null || after != null) {
      listener.changed(before, after);
    }
  }

  private void add(String uid, T fact) {
    items.put(uid, fact);
    groups.computeIfAbsent(kind.group.apply(fact), first -> new HashMap<>()).put(uid, fact);
  }

  private void replace(Map<String, T> all) {
    lock.lock();
    try {
      items.clear();
      groups.clear();
      all.forEach(this::add);
      unsynced = Optional.empty();
      forbidden = false;
    } finally {
      lock.unlock();
    }
    listener.refreshed();
  }

  private void unsynced(String why) {
    lock.lock();
    try {
      unsynced = Optional.of(why);
    } finally {
      lock.unlock();
    }
    listener.refreshed();
  }

  private void setForbidden(boolean value) {
    lock.lock();
    try {
      forbidden = value;
    } finally {
      lock.unlock();
    }
  }

  private static String uid(JsonNode object) {
    return text(object.path("metadata"), "uid");
  }

  @Override
  public void close() {
    closed.countDown();
    watching.end();
  }
}

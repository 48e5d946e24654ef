package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.time.TimeSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The only list-and-watch of a source in this process; any number of {@link Watch}es share it. A
 * stream that the server ends normally is resumed at its last version; after a failure everything
 * is listed again, and until that succeeds {@link #unsynced} says why the facts are stale. A watch
 * that joins later gets its own list but shares the stream.
 */
final class SharedWatch {
  /**
   * The server ends a watch after a time between this and twice this, which also reveals a silently
   * broken connection. It differs, so that not all watches of all processes begin again together.
   */
  private static final Duration SHORTEST_WATCH = Duration.ofMinutes(5);

  private static final Duration SLACK = Duration.ofSeconds(20);

  /** A stream of this length counts as good, however slowly its source is retried otherwise. */
  private static final Duration LASTING = Backoff.DEFAULT.most();

  /**
   * So does one that brought this many changes, however short: during a burst of changes the server
   * ends a watch of one node's pods once it lags behind by about as many.
   */
  private static final int BURST = 10;

  private final Source source;
  private final KubeHttp http;
  private final TimeSource time;
  private final Backoff backoff;
  private final ControlLoop loop;
  private final List<Watch<?>> watches = new CopyOnWriteArrayList<>();

  private Optional<String> unsynced = Optional.of(Watch.NOT_LISTED);
  private boolean forbidden;
  private boolean served = true;
  private boolean relist = true;
  private boolean closed;
  private String version = "";
  private Transport.Stream stream = Transport.Stream.NONE;
  private boolean streaming;

  /** In elapsed time, because the clock may be set meanwhile. */
  private Duration retryAt = Duration.ZERO;

  private Duration openedAt = Duration.ZERO;
  private int failedLists;

  /** Streams in a row that ended early. A list that succeeds does not make them better. */
  private int shortStreams;

  SharedWatch(Source source, Kube kube, Backoff backoff) {
    this.source = source;
    this.http = kube.http();
    this.time = kube.time();
    this.backoff = backoff;
    loop = kube.loop("watch", source.toString(), this::step);
  }

  void join(Watch<?> watch) {
    watches.add(watch);
    watch.joined(this);
    loop.wake();
  }

  /** The first watch to join, which may already know the state at a version. */
  <T> void joinFrom(Watch<T> watch, Map<String, T> facts, String listVersion) {
    watches.add(watch);
    watch.joined(this);
    synchronized (this) {
      version = listVersion;
      relist = false;
      unsynced = Optional.empty();
    }
    watch.listed(facts, listVersion);
    loop.wake();
  }

  synchronized Optional<String> unsynced() {
    return unsynced;
  }

  synchronized boolean isForbidden() {
    return forbidden;
  }

  private synchronized boolean isServed() {
    return served;
  }

  WatchHealth health() {
    Map<String, String> unreadable = new TreeMap<>();
    Set<String> reduced = new TreeSet<>();
    watches.forEach(
        watch -> {
          unreadable.putAll(watch.unreadable());
          reduced.addAll(watch.reduced());
        });
    boolean served = isServed();
    boolean required = watches.stream().anyMatch(watch -> watch.isRequired(served));
    return new WatchHealth(source, required, unsynced(), unreadable, reduced);
  }

  /** Lists if the state is incomplete, then keeps the stream open. */
  private Instant step() {
    boolean everything;
    synchronized (this) {
      if (closed) {
        return Instant.MAX;
      }
      if (time.elapsed().compareTo(retryAt) < 0) {
        return retryTime();
      }
      everything = relist;
    }
    List<Watch<?>> unlisted =
        everything
            ? List.copyOf(watches)
            : watches.stream().filter(watch -> !watch.isListed()).toList();
    if (everything || !unlisted.isEmpty()) {
      Optional<String> failure = list(unlisted, everything);
      if (failure.isPresent()) {
        synchronized (this) {
          failedLists++;
          retryAfter(failedLists);
        }
        failed(failure.get());
        return retryTime();
      }
    }
    open();
    return Instant.MAX;
  }

  private Optional<String> list(List<Watch<?>> wanted, boolean everything) {
    List<Watch<?>.Listing> listings = new ArrayList<>();
    wanted.forEach(watch -> listings.add(watch.listing()));
    KubeAnswer answer =
        http.list(source, object -> listings.forEach(listing -> listing.add(object)));
    synchronized (this) {
      forbidden = answer.code() == HttpURLConnection.HTTP_FORBIDDEN;
      served = answer.code() != HttpURLConnection.HTTP_NOT_FOUND;
    }
    if (!answer.ok()) {
      // An expired continue token is answered with 410; the next list starts without one.
      return Optional.of(
          answer.code() == HttpURLConnection.HTTP_NOT_FOUND
              ? "the API server has no %s; if that is a kind of Drydock, run: drydock crds | kubectl apply --server-side -f -"
                  .formatted(source.resource())
              : answer.message());
    }
    String asOf = text(answer.body().path("metadata"), "resourceVersion");
    synchronized (this) {
      failedLists = 0;
      unsynced = Optional.empty();
      if (everything) {
        version = asOf;
        relist = false;
      }
    }
    listings.forEach(listing -> listing.done(asOf));
    return Optional.empty();
  }

  private void failed(String why) {
    synchronized (this) {
      unsynced = Optional.of(why);
    }
    watches.forEach(Watch::refreshed);
  }

  private synchronized Instant retryTime() {
    return time.now().plus(retryAt.minus(time.elapsed()));
  }

  private void retryAfter(int failures) {
    retryAt = time.elapsed().plus(backoff.after(failures));
  }

  /** A server that ends streams early, in order or not, is asked again only after a pause. */
  private void streamEnded(boolean inOrder, int changes) {
    boolean lasted = time.elapsed().minus(openedAt).compareTo(LASTING) >= 0;
    boolean good = lasted || (inOrder && changes >= BURST);
    shortStreams = good ? 0 : shortStreams + 1;
    int failures = inOrder ? shortStreams - 1 : Math.max(1, shortStreams);
    if (failures > 0) {
      retryAfter(failures);
    }
  }

  private void open() {
    String from;
    synchronized (this) {
      if (streaming || closed) {
        return;
      }
      streaming = true;
      openedAt = time.elapsed();
      from = version;
    }
    long seconds = Math.round(SHORTEST_WATCH.toSeconds() * (1 + time.random()));
    String query =
        "watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(from, seconds);
    Transport.Stream opened =
        http.watch(source.with(query), Duration.ofSeconds(seconds).plus(SLACK), new Events());
    synchronized (this) {
      stream = opened;
      if (closed) {
        opened.end();
      }
    }
  }

  private final class Events implements Transport.Events {
    /** Why the stream cannot be resumed. */
    private boolean lost;

    private int changes;

    @Override
    public boolean event(JsonNode event) {
      String type = text(event, "type");
      String eventVersion = text(event.path("object").path("metadata"), "resourceVersion");
      synchronized (SharedWatch.this) {
        if (closed) {
          return false;
        }
        boolean disordered =
            ResourceVersion.isNewer(version, eventVersion) && !eventVersion.isEmpty();
        boolean isError =
            switch (type) {
              case "ADDED", "MODIFIED", "DELETED", "BOOKMARK" -> false;
              default -> true; // most likely the version is too old
            };
        if (disordered || isError) {
          lost = true; // unknown changes may be missing
          return false;
        }
        version = eventVersion;
        changes++;
      }
      if (!type.equals("BOOKMARK")) {
        watches.forEach(watch -> watch.event(event));
      }
      return true;
    }

    @Override
    public void ended(KubeAnswer answer, Optional<String> broken) {
      Optional<String> failure = failure(answer, broken);
      synchronized (SharedWatch.this) {
        streaming = false;
        stream = Transport.Stream.NONE;
        if (closed) {
          return;
        }
        // Changes were missed, so only a new list makes the state complete again.
        relist |= failure.isPresent() || answer.code() == HttpURLConnection.HTTP_GONE;
        streamEnded(failure.isEmpty(), changes);
      }
      failure.ifPresent(SharedWatch.this::failed);
      loop.wake();
    }

    private Optional<String> failure(KubeAnswer answer, Optional<String> broken) {
      if (answer.code() == HttpURLConnection.HTTP_GONE) {
        return Optional.empty();
      }
      if (!answer.ok()) {
        return Optional.of(answer.message());
      }
      return lost ? Optional.of("the watch failed") : broken;
    }
  }

  /** Whether that was the last watch. */
  boolean leave(Watch<?> watch) {
    watches.remove(watch);
    return watches.isEmpty();
  }

  void close() {
    Transport.Stream open;
    synchronized (this) {
      closed = true;
      open = stream;
    }
    loop.close();
    open.end();
  }
}

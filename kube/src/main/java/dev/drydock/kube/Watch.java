package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts about the objects of one source, kept up to date until closed. Objects are identified by
 * UID. An object that cannot be parsed is skipped and listed as {@link State#unreadable}; other
 * objects are unaffected.
 */
public final class Watch<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private static final EventRecorder.Occurrence UNREADABLE =
      new EventRecorder.Occurrence(true, "Unreadable", "Read");

  /** Why the state is unknown at first. */
  public static final String NOT_LISTED = "not listed yet";

  /**
   * What is kept of the objects.
   *
   * @param reader returns null for objects of no interest; an exception makes the object unreadable
   * @param group the key by which facts can be queried
   * @param need whether the process is ready only while this watch is in sync
   * @param reported the kind of the objects, if one that cannot be parsed gets an Event that says
   *     so
   * @param bound what all facts together may take, if they are limited
   */
  public record Kind<T>(
      Source source,
      Function<JsonNode, @Nullable T> reader,
      Function<T, String> group,
      Need need,
      Optional<Resource> reported,
      Optional<WatchBound<T>> bound) {
    private enum Need {
      ALWAYS,
      IF_SERVED,
      NEVER
    }

    /** The process is ready only while a watch of this kind is in sync. */
    public static <T> Kind<T> of(Source source, Function<JsonNode, @Nullable T> reader) {
      return new Kind<>(source, reader, _ -> "", Need.ALWAYS, Optional.empty(), Optional.empty());
    }

    public Kind<T> groupedBy(Function<T, String> other) {
      return new Kind<>(source, reader, other, need, reported, bound);
    }

    /** The process is ready also if the cluster does not serve the resource. */
    public Kind<T> ifServed() {
      return new Kind<>(source, reader, group, Need.IF_SERVED, reported, bound);
    }

    /** Does not affect readiness: for single drains, estimates and kinds named by users. */
    public Kind<T> optional() {
      return new Kind<>(source, reader, group, Need.NEVER, reported, bound);
    }

    /** An object that cannot be parsed gets an Event that says why it is not served. */
    public Kind<T> reportingUnreadable(Resource kind) {
      return new Kind<>(source, reader, group, need, Optional.of(kind), bound);
    }

    /** Facts that would take more than this together are kept reduced. */
    public Kind<T> bounded(WatchBound<T> limit) {
      return new Kind<>(source, reader, group, need, reported, Optional.of(limit));
    }

    boolean isRequired(boolean served) {
      return need == Need.ALWAYS || (need == Need.IF_SERVED && served);
    }
  }

  /**
   * Called after each change, on any thread; must not block. Before is null for a new object, after
   * for a deleted one.
   */
  public interface Listener<T> {
    void changed(@Nullable T before, @Nullable T after);

    /** All facts may have changed, or the watch is out of sync. */
    void refreshed();

    /**
     * The object exists but can no longer be parsed; it is not deleted.
     *
     * @param before its last parsed version, if any
     */
    default void unreadable(@Nullable T before) {
      refreshed();
    }

    /** Wakes what a change is about, by its key. */
    static <T> Listener<T> keyed(Function<T, String> key, Consumer<String> wake, Runnable wakeAll) {
      return new Listener<>() {
        @Override
        public void changed(@Nullable T before, @Nullable T after) {
          T changed = after == null ? before : after;
          if (changed != null) {
            wake.accept(key.apply(changed));
          }
        }

        @Override
        public void refreshed() {
          wakeAll.run();
        }
      };
    }

    /** Wakes on every change. */
    static <T> Listener<T> waking(Runnable wake) {
      return new Listener<>() {
        @Override
        public void changed(@Nullable T before, @Nullable T after) {
          wake.run();
        }

        @Override
        public void refreshed() {
          wake.run();
        }
      };
    }
  }

  /**
   * The current state.
   *
   * @param unsynced why the watch is not in sync
   * @param forbidden the server denies access, so waiting does not help
   * @param unreadable objects that exist but cannot be parsed, by namespace and name, with the
   *     error
   * @param listedAt the version of the last list; the items may be newer
   * @param list the number of the last list, counted from 1; 0 if there was none
   */
  public record State<T>(
      List<T> items,
      Optional<String> unsynced,
      boolean forbidden,
      Map<String, String> unreadable,
      String listedAt,
      int list) {
    /** The state of this watch with only some of its objects. */
    public State<T> only(List<T> some, Map<String, String> someUnreadable) {
      return new State<>(some, unsynced, forbidden, someUnreadable, listedAt, list);
    }
  }

  private final Watches watches;
  private final Backoff backoff;
  private final Kind<T> kind;
  private final Listener<T> listener;
  private final Map<String, T> items = new HashMap<>();
  private final Map<String, Map<String, T>> groups = new HashMap<>();
  private final Map<String, Unreadable> unreadable = new HashMap<>();
  private final List<JsonNode> missed = new ArrayList<>();
  private WatchBound.Tally<T> tally;
  private @Nullable SharedWatch shared;
  private boolean listed;
  private String since = "";
  private int listsBegun;
  private int list;

  private record Unreadable(ObjectKey key, String why) {
    String name() {
      return key.toString();
    }
  }

  /** The identity of an object, which can always be read. */
  private record ObjectKey(String namespace, String name, String uid) {
    static ObjectKey of(JsonNode object) {
      JsonNode metadata = object.path("metadata");
      return new ObjectKey(
          text(metadata, "namespace"), text(metadata, "name"), text(metadata, "uid"));
    }

    @Override
    public String toString() {
      return namespace.isEmpty() ? name : namespace + "/" + name;
    }
  }

  private record Parsed<T>(@Nullable T fact, @Nullable Unreadable broken) {}

  Watch(Watches watches, Kind<T> kind, Listener<T> listener, Backoff backoff) {
    this.watches = watches;
    this.backoff = backoff;
    this.kind = kind;
    this.listener = listener;
    tally = tally();
  }

  private WatchBound.Tally<T> tally() {
    return new WatchBound.Tally<>(kind.bound(), kind.group());
  }

  /** Starts the watch; the listener is called from now on. */
  public Watch<T> start() {
    watches.join(this);
    return this;
  }

  /**
   * Starts from facts by UID that were just read at this version, without a list. If the source is
   * watched already, it is listed anyway.
   */
  public Watch<T> startFrom(Map<String, T> facts, String version) {
    watches.joinFrom(this, facts, version);
    return this;
  }

  Source source() {
    return kind.source();
  }

  Backoff backoff() {
    return backoff;
  }

  synchronized void joined(SharedWatch source) {
    shared = source;
  }

  boolean isRequired(boolean served) {
    return kind.isRequired(served);
  }

  public synchronized State<T> state() {
    return state(List.copyOf(items.values()));
  }

  public synchronized State<T> state(String group) {
    return state(List.copyOf(groups.getOrDefault(group, Map.of()).values()));
  }

  private State<T> state(List<T> facts) {
    Optional<String> unsynced = shared == null ? Optional.empty() : shared.unsynced();
    return new State<>(
        facts,
        listed ? unsynced : unsynced.or(() -> Optional.of(NOT_LISTED)),
        shared != null && shared.isForbidden(),
        unreadable(),
        since,
        list);
  }

  synchronized Map<String, String> unreadable() {
    Map<String, String> names = new HashMap<>();
    unreadable.values().forEach(object -> names.put(object.name(), object.why()));
    return names;
  }

  /** The groups some of whose facts are kept reduced. */
  synchronized Set<String> reduced() {
    return tally.reduced(items.values());
  }

  /**
   * Whether the first list has completed; from then on, an object that is not in the state does not
   * exist.
   */
  public synchronized boolean isListed() {
    return listed;
  }

  /** A list with a higher {@link State#list} begins after this call. */
  public synchronized int listsBegun() {
    return listsBegun;
  }

  /** How many groups have facts. */
  synchronized int groups() {
    return groups.size();
  }

  /** Drops the facts of a group that is no longer queried. */
  public synchronized void forget(String group) {
    List.copyOf(groups.getOrDefault(group, Map.of()).keySet()).forEach(this::removeItem);
  }

  /** Collects a list for this watch; its objects take effect in {@link #listed}. */
  final class Listing {
    private final Map<String, T> all = new HashMap<>();
    private final Map<String, Unreadable> broken = new HashMap<>();
    private final WatchBound.Tally<T> room = tally();
    private final int number;

    private Listing(int number) {
      this.number = number;
    }

    void add(JsonNode object) {
      Parsed<T> parsed = parse(object);
      if (parsed.broken() != null) {
        broken.put(uid(object), parsed.broken());
      } else if (parsed.fact() != null) {
        String uid = uid(object);
        all.put(uid, known(uid, room.add(parsed.fact())));
      }
    }

    void done(String version) {
      listed(all, broken, version, number);
      listener.refreshed();
    }
  }

  /** The fact that is kept already, if it is equal: a new list then needs little more memory. */
  private synchronized T known(String uid, T fact) {
    T before = items.get(uid);
    return before != null && before.equals(fact) ? before : fact;
  }

  /** Before the request is sent. */
  synchronized Listing listing() {
    listsBegun++;
    return new Listing(listsBegun);
  }

  void listed(Map<String, T> facts, String version) {
    listed(facts, Map.of(), version, 0);
  }

  private void listed(
      Map<String, T> all, Map<String, Unreadable> broken, String version, int number) {
    List<JsonNode> later;
    List<Unreadable> news;
    synchronized (this) {
      items.clear();
      groups.clear();
      tally = tally();
      all.forEach(this::add);
      news = broken.values().stream().filter(this::shouldLog).toList();
      unreadable.clear();
      unreadable.putAll(broken);
      since = version;
      list = number;
      listed = true;
      later = List.copyOf(missed);
      missed.clear();
    }
    news.forEach(this::report);
    later.forEach(this::event);
  }

  private boolean shouldLog(Unreadable object) {
    return !object.equals(unreadable.get(object.key().uid()));
  }

  /** Says so on the object itself; not here, because a watch must not wait for an answer. */
  private void report(Unreadable object) {
    kind.reported()
        .ifPresent(
            resource ->
                watches.report(
                    new EventRecorder.Regarding(
                        resource.apiVersion(),
                        resource.kind(),
                        object.key().namespace(),
                        object.key().name(),
                        object.key().uid()),
                    UNREADABLE,
                    "It cannot be read, so it is not served: " + object.why()));
  }

  private T add(String uid, T fact) {
    T kept = tally.add(fact);
    items.put(uid, kept);
    groups.computeIfAbsent(kind.group().apply(kept), _ -> new HashMap<>()).put(uid, kept);
    return kept;
  }

  /**
   * Handles ADDED, MODIFIED and DELETED; events that this watch's list already includes are
   * ignored.
   */
  void event(JsonNode event) {
    JsonNode object = event.path("object");
    String version = text(object.path("metadata"), "resourceVersion");
    synchronized (this) {
      if (!listed) {
        missed.add(event);
        return;
      }
      if (!ResourceVersion.isNewer(version, since)) {
        return;
      }
    }
    String uid = uid(object);
    if (text(event, "type").equals("DELETED")) {
      put(uid, null);
      return;
    }
    Parsed<T> parsed = parse(object);
    if (parsed.broken() == null) {
      put(uid, parsed.fact());
    } else {
      listener.unreadable(putUnreadable(uid, parsed.broken()));
    }
  }

  private Parsed<T> parse(JsonNode object) {
    return Bugs.call(
        () -> new Parsed<>(kind.reader().apply(object), null),
        unusable -> new Parsed<>(null, skipped(object, unusable)));
  }

  private void put(String uid, @Nullable T after) {
    T before;
    T kept;
    synchronized (this) {
      before = remove(uid);
      kept = after == null ? null : add(uid, after);
    }
    if (before != null || kept != null) {
      listener.changed(before, kept);
    }
  }

  private @Nullable T putUnreadable(String uid, Unreadable object) {
    boolean news;
    T before;
    synchronized (this) {
      news = shouldLog(object);
      before = remove(uid);
      unreadable.put(uid, object);
    }
    if (news) {
      report(object);
    }
    return before;
  }

  private @Nullable T remove(String uid) {
    unreadable.remove(uid);
    return removeItem(uid);
  }

  private @Nullable T removeItem(String uid) {
    T before = items.remove(uid);
    if (before != null) {
      tally.remove(before);
      groups.computeIfPresent(
          kind.group().apply(before),
          (_, members) -> {
            members.remove(uid);
            return members.isEmpty() ? null : members;
          });
    }
    return before;
  }

  private Unreadable skipped(JsonNode object, Throwable unusable) {
    ObjectKey name = ObjectKey.of(object);
    String message = Objects.requireNonNullElse(unusable.getMessage(), "");
    String why = message.lines().findFirst().orElse(unusable.getClass().getSimpleName());
    LOG.warn("{} {} cannot be read and is skipped: {}", kind.source(), name, why);
    LOG.debug("{} {}", kind.source(), name, unusable);
    return new Unreadable(name, why);
  }

  void refreshed() {
    listener.refreshed();
  }

  private static String uid(JsonNode object) {
    return text(object.path("metadata"), "uid");
  }

  @Override
  public void close() {
    watches.leave(this);
  }
}

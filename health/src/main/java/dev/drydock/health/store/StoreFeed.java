package dev.drydock.health.store;

import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A feed of any store: positions, lists in place of lost history, bounds. */
public final class StoreFeed implements ChangeFeed {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFeed.class);

  /** What a crash may repeat is bounded by it; a save costs a write. */
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(1);

  private static final String LISTING = "list ";

  private final String consumer;
  private final EventStore store;
  private final FeedSource source;
  private final ChangeFilter filter;
  private final TimeSource time;
  private final Runnable wake;
  private final boolean saves;
  private final FeedWindow window = new FeedWindow();
  private String cursor;
  private @Nullable Listing listing;
  private @Nullable String relistReason;
  private Optional<String> saved = Optional.empty();
  private Duration lastSave;
  private boolean closed;

  /**
   * A list under way.
   *
   * @param last the event that was listed last; empty before the first
   * @param then where changes go on afterwards
   */
  private record Listing(String last, String then) {
    String token() {
      return LISTING + last + " " + then;
    }

    static Listing parse(String token) {
      String rest = token.substring(LISTING.length());
      int space = rest.indexOf(' ');
      return new Listing(rest.substring(0, space), rest.substring(space + 1));
    }
  }

  /** Everything that a feed needs of its store. */
  public record Context(EventStore store, FeedSource source, TimeSource time) {}

  public StoreFeed(
      Context context, String consumer, ChangeFilter filter, FeedStart start, Runnable wake) {
    this.consumer = consumer;
    this.store = context.store();
    this.source = context.source();
    this.filter = filter;
    this.time = context.time();
    this.wake = wake;
    saves = start != FeedStart.UNSAVED;
    lastSave = time.elapsed();
    Optional<String> position = saves ? source.load() : Optional.empty();
    saved = position;
    if (position.isPresent() && position.get().startsWith(LISTING)) {
      listing = Listing.parse(position.get());
      cursor = listing.then();
    } else if (position.isPresent()) {
      cursor = position.get();
    } else {
      cursor = source.now();
      if (start == FeedStart.LIST) {
        listing = new Listing("", cursor);
      } else if (saves) {
        source.save(cursor);
        saved = Optional.of(cursor);
      }
    }
  }

  @Override
  public synchronized List<Change> next(int most) {
    if (closed) {
      return List.of();
    }
    List<Change> wanted = new ArrayList<>();
    boolean end = false;
    while (wanted.isEmpty() && !end) {
      int room = Math.min(most, IN_FLIGHT - window.inFlight());
      if (room <= 0) {
        break;
      }
      boolean wasListing = listing != null;
      List<Change> page = page(room);
      end = page.isEmpty() && !wasListing && listing == null;
      page.stream().filter(this::isWanted).forEach(wanted::add);
    }
    saveIfDue(end);
    return wanted;
  }

  private boolean isWanted(Change change) {
    boolean wanted = filter.wants(change);
    if (wanted) {
      window.delivered(change);
    } else {
      window.skipped(change.token());
    }
    return wanted;
  }

  private List<Change> page(int most) {
    Listing list = listing;
    if (list != null) {
      return listed(list, most);
    }
    try {
      List<Change> page = source.read(cursor, most);
      if (!page.isEmpty()) {
        cursor = page.getLast().token();
      }
      return page;
    } catch (FeedSource.HistoryLost lost) {
      relist(String.valueOf(lost.getMessage()));
      return List.of();
    }
  }

  /** What happens from now on comes after the list; what happens meanwhile may be in both. */
  private void relist(String reason) {
    LOG.error("{}: {}; all stored events are listed instead", consumer, reason);
    relistReason = reason;
    cursor = source.now();
    listing = new Listing("", cursor);
  }

  private List<Change> listed(Listing list, int most) {
    EventQuery query = EventQuery.ALL.atMost(most);
    if (!list.last().isEmpty()) {
      // expired meanwhile: from the beginning again, as nothing else is certain
      query = store.get(list.last()).map(query::after).orElse(query);
    }
    List<Change> page = new ArrayList<>();
    Listing now = list;
    for (StoredEvent event : store.query(query)) {
      now = new Listing(event.id(), list.then());
      page.add(new Change(now.token(), Change.Kind.LISTED, event, StatusUpdate.NONE));
    }
    if (page.isEmpty()) {
      listing = null;
      window.skipped(list.then());
    } else {
      listing = now;
    }
    return page;
  }

  @Override
  public void finished(Change change) {
    boolean wasFull;
    synchronized (this) {
      wasFull = window.inFlight() >= IN_FLIGHT;
      window.finished(change);
    }
    if (wasFull) {
      wake.run();
    }
  }

  @Override
  public synchronized Optional<String> relistReason() {
    return Optional.ofNullable(relistReason);
  }

  private void saveIfDue(boolean idle) {
    if (idle || time.elapsed().minus(lastSave).compareTo(BETWEEN_SAVES) >= 0) {
      save();
    }
  }

  @Override
  public synchronized void save() {
    Optional<String> mark = window.mark();
    if (saves && mark.isPresent() && !Objects.equals(mark, saved)) {
      source.save(mark.get());
      saved = mark;
    }
    lastSave = time.elapsed();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      try {
        save();
      } finally {
        source.close();
      }
    }
  }
}

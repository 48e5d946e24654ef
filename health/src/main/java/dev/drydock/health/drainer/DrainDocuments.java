package dev.drydock.health.drainer;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.drainer.decide.DrainDocument;
import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.drainer.decide.QuarantineFacts;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StoredEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The events of one node that matter to its drain, read from the store once and kept up to date by
 * the feed. For use by the loop of the node.
 */
final class DrainDocuments {
  private static final int PAGE = 1000;

  /** How many pages are read for one quarantine; older events have ended long ago. */
  private static final int MOST_PAGES = 50;

  private final Supplier<EventStore> stores;
  private final String node;
  private final boolean partial;
  private final Map<String, DrainDocument> open = new LinkedHashMap<>();
  private final Map<String, DrainDocument> ended = new LinkedHashMap<>();
  private final Set<String> endedEpisodes = new HashSet<>();
  private Optional<Instant> cutoff = Optional.empty();
  private @Nullable String loaded;

  DrainDocuments(Supplier<EventStore> stores, String node, boolean partial) {
    this.stores = stores;
    this.node = node;
    this.partial = partial;
  }

  static DrainDocument read(StoredEvent stored, boolean partial) {
    HealthEventStatus status = stored.status();
    return new DrainDocument(
        stored.id(),
        stored.createdAt(),
        Objects.requireNonNullElse(status.quarantineFinishTimestamp(), stored.createdAt()),
        status.nodeQuarantined(),
        status.userPodsEvictionStatus().status(),
        status.userPodsEvictionStatus().message(),
        stored.episode(),
        stored.event().checkName(),
        stored.event().isHealthy(),
        wish(stored.event().drainOverrides()),
        DrainScope.of(stored.event(), partial));
  }

  private static DrainDocument.Wish wish(@Nullable BehaviourOverrides overrides) {
    if (overrides == null) {
      return DrainDocument.Wish.NONE;
    }
    if (overrides.skip()) {
      return DrainDocument.Wish.SKIP;
    }
    return overrides.force() ? DrainDocument.Wish.FORCE : DrainDocument.Wish.NONE;
  }

  /** Reads what happened in the quarantine that the node is in, unless that was read before. */
  void load(String episode) {
    if (episode.equals(loaded)) {
      return;
    }
    ended.clear();
    EventQuery query =
        EventQuery.ALL
            .ofNode(node)
            .withNodeQuarantined(
                HealthStatus.QUARANTINED.word(),
                HealthStatus.ALREADY_QUARANTINED.word(),
                HealthStatus.UN_QUARANTINED.word(),
                HealthStatus.CANCELLED.word())
            .newest()
            .atMost(PAGE);
    boolean more = true;
    for (int i = 0; i < MOST_PAGES && more; i++) {
      List<StoredEvent> page = stores.get().query(query);
      more = page.size() == PAGE;
      for (StoredEvent stored : page) {
        put(stored);
        boolean begins = stored.id().equals(episode);
        if (begins || HealthStatus.UN_QUARANTINED.is(stored.status().nodeQuarantined())) {
          more = false; // what is older belongs to an earlier quarantine
          break;
        }
      }
      query = more ? query.after(page.getLast()) : query;
    }
    loaded = episode;
  }

  void put(StoredEvent stored) {
    put(read(stored, partial));
  }

  void put(DrainDocument document) {
    if (document.endsQuarantine()) {
      if (!document.episode().isEmpty()) {
        endedEpisodes.add(document.episode());
      }
      cutoff =
          cutoff.filter(document.created()::isBefore).or(() -> Optional.of(document.created()));
    }
    if (document.isEnded()) {
      open.remove(document.id());
      ended.put(document.id(), document);
    } else {
      open.put(document.id(), document);
    }
  }

  Collection<DrainDocument> open() {
    return List.copyOf(open.values());
  }

  boolean isOpen(String id) {
    return open.containsKey(id);
  }

  /** The events of the present quarantine whose drains have ended. */
  List<DrainDocument> ended(QuarantineFacts facts) {
    List<DrainDocument> found = new ArrayList<>();
    for (DrainDocument document : ended.values()) {
      boolean unnamed = facts.episode().isEmpty() || document.episode().isEmpty();
      boolean present =
          unnamed
              ? cutoff.filter(time -> !document.created().isAfter(time)).isEmpty()
              : facts.episode().equals(document.episode());
      if (document.isQuarantine() && present) {
        found.add(document);
      }
    }
    return found;
  }

  QuarantineFacts facts(Optional<QuarantinedNode> seen, boolean certain) {
    return new QuarantineFacts(
        seen.isPresent(),
        seen.filter(QuarantinedNode::quarantined).isPresent(),
        seen.map(QuarantinedNode::episode).orElse(""),
        endedEpisodes,
        cutoff,
        certain);
  }
}

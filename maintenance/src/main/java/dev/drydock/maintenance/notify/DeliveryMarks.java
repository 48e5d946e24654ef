package dev.drydock.maintenance.notify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The channels that have received each notice of one node, also if that is not recorded yet. */
final class DeliveryMarks {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryMarks.class);

  private final Set<String> channels;
  private final Map<String, Set<String>> done = new HashMap<>();
  private final Set<String> unknown = new HashSet<>();

  /**
   * @param channels the configured ones; notices for other channels are dropped
   */
  DeliveryMarks(Set<String> channels) {
    this.channels = channels;
  }

  synchronized void mark(QueuedNotice queued, String channel) {
    done.computeIfAbsent(queued.id(), id -> new HashSet<>()).add(channel);
  }

  /** The notices that are still to be delivered. */
  List<QueuedNotice> left(List<QueuedNotice> entries) {
    List<QueuedNotice> left = new ArrayList<>();
    synchronized (this) {
      for (QueuedNotice queued : entries) {
        Set<String> pending = pending(queued);
        if (!pending.isEmpty()) {
          left.add(queued.pendingFor(pending));
        }
      }
      return left;
    }
  }

  synchronized Optional<QueuedNotice> next(List<QueuedNotice> entries, String channel) {
    return entries.stream().filter(queued -> pending(queued).contains(channel)).findFirst();
  }

  private Set<String> pending(QueuedNotice queued) {
    Set<String> pending = new HashSet<>(queued.pending());
    pending.removeAll(done.getOrDefault(queued.id(), Set.of()));
    for (String channel : queued.pending()) {
      if (!channels.contains(channel)) {
        pending.remove(channel);
        if (unknown.add(channel)) {
          LOG.warn(
              "notices of node {} for channel {} are dropped: no such channel is configured",
              queued.notice().node(),
              channel);
        }
      }
    }
    return pending;
  }

  /** Only what is stored needs marks. */
  void keepOnly(List<QueuedNotice> entries) {
    Set<String> ids = entries.stream().map(QueuedNotice::id).collect(Collectors.toSet());
    synchronized (this) {
      done.keySet().retainAll(ids);
    }
  }
}

package dev.drydock.maintenance.notify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which channels need the notices of one node no more, also where that is not recorded yet. */
final class Ledger {
  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

  private final Set<String> channels;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Set<String>> done = new HashMap<>();
  private final Set<String> unknown = new HashSet<>();

  /** Of notices that wait for other channels, nobody would know where to. */
  Ledger(Set<String> channels) {
    this.channels = channels;
  }

  void mark(Entry entry, String channel) {
    lock.lock();
    try {
      done.computeIfAbsent(entry.id(), id -> new HashSet<>()).add(channel);
    } finally {
      lock.unlock();
    }
  }

  /** What is left of these. */
  List<Entry> left(List<Entry> entries) {
    List<Entry> left = new ArrayList<>();
    lock.lock();
    try {
      for (Entry entry : entries) {
        Set<String> pending = pending(entry);
        if (!pending.isEmpty()) {
          left.add(entry.pendingFor(pending));
        }
      }
      return left;
    } finally {
      lock.unlock();
    }
  }

  Optional<Entry> next(List<Entry> entries, String channel) {
    lock.lock();
    try {
      return entries.stream().filter(entry -> pending(entry).contains(channel)).findFirst();
    } finally {
      lock.unlock();
    }
  }

  private Set<String> pending(Entry entry) {
    Set<String> pending = new HashSet<>(entry.pending());
    pending.removeAll(done.getOrDefault(entry.id(), Set.of()));
    for (String channel : entry.pending()) {
      if (!channels.contains(channel)) {
        pending.remove(channel);
        if (unknown.add(channel)) {
          LOG.warn(
              "notices of node {} for channel {} are dropped: no such channel is configured",
              entry.notice().node(),
              channel);
        }
      }
    }
    return pending;
  }

  /** Only what is stored needs marks. */
  void keepOnly(List<Entry> entries) {
    Set<String> ids = entries.stream().map(Entry::id).collect(Collectors.toSet());
    lock.lock();
    try {
      done.keySet().retainAll(ids);
    } finally {
      lock.unlock();
    }
  }
}

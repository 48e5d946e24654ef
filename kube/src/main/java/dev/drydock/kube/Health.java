package dev.drydock.kube;

import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The health of this process: its control loops and watches. */
public final class Health {
  /** Longer than a slow request on a busy machine takes. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** How many namespaces are named; of more, only the number is given. */
  private static final int NAMED = 5;

  private final TimeSource time;
  private final Map<String, LoopHealth> loops = new ConcurrentSkipListMap<>();
  private final Set<SharedWatch> watches = ConcurrentHashMap.newKeySet();

  Health(TimeSource time) {
    this.time = time;
  }

  LoopHealth loop(String name) {
    return loops.computeIfAbsent(name, LoopHealth::new);
  }

  void added(SharedWatch watch) {
    watches.add(watch);
  }

  void removed(SharedWatch watch) {
    watches.remove(watch);
  }

  public List<LoopHealth> loops() {
    return List.copyOf(loops.values());
  }

  public List<WatchHealth> watches() {
    return watches.stream().map(SharedWatch::health).sorted().toList();
  }

  /** Why the process should be restarted; empty while all loops make progress. */
  public List<String> stuck() {
    return loops.values().stream().flatMap(loop -> stuck(loop).stream()).toList();
  }

  /** The loops of one kind that make no progress. */
  public List<String> stuck(LoopHealth loop) {
    return loop.stuck(time.now(), TIMEOUT);
  }

  /** Watches that are not in sync; work that depends on them waits. */
  public List<String> unsynced() {
    return watches().stream()
        .filter(WatchHealth::required)
        .flatMap(
            watch -> watch.unsynced().stream().map(why -> "%s: %s".formatted(watch.source(), why)))
        .toList();
  }

  /** Single objects that fail; all others are served. */
  public List<String> degraded() {
    List<String> lines = new ArrayList<>();
    loops.values().forEach(loop -> lines.addAll(loop.failing()));
    for (WatchHealth watch : watches()) {
      watch
          .unreadable()
          .forEach(
              (object, why) ->
                  lines.add("%s %s cannot be read: %s".formatted(watch.source(), object, why)));
      if (!watch.reduced().isEmpty()) {
        lines.add(
            "%s: more than is kept, in %d namespaces: %s"
                .formatted(
                    watch.source(),
                    watch.reduced().size(),
                    String.join(", ", watch.reduced().stream().limit(NAMED).toList())));
      }
    }
    return lines;
  }
}

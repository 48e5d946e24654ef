package dev.drydock.health.decide;

import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.health.HealthEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state of one check as a condition of its node. True means unhealthy.
 *
 * @param type the name of the check
 * @param entries the failures, all of them; the message shows as much as fits
 */
public record FaultCondition(String type, List<FaultEntry> entries) {
  private static final String HEALTHY = "No Health Failures";
  private static final String SEPARATOR = ";";

  /** The condition that says that checks have no condition, because there are too many. */
  public static final String NOT_SHOWN = "HealthChecksNotShown";

  /** Conditions of Kubernetes, of drains and our own, which no check of hardware may set. */
  private static final Set<String> RESERVED =
      Set.of(
          "Ready",
          "MemoryPressure",
          "DiskPressure",
          "PIDPressure",
          "NetworkUnavailable",
          "DrainInProgress",
          "Drained",
          NOT_SHOWN,
          TrackedFault.ANY_CHECK);

  /** More are not kept in memory; of them the message shows what fits. */
  private static final int MOST_ENTRIES = 64;

  /** Whether a check must not have this name, because others own the condition. */
  public static boolean isReserved(String check) {
    return RESERVED.contains(check);
  }

  /** How long messages may be, in bytes. */
  public record Lengths(int message, int compactedText) {
    public static final Lengths STANDARD = new Lengths(1024, 72);
  }

  public FaultCondition {
    entries = List.copyOf(entries);
  }

  public static FaultCondition healthy(String type) {
    return new FaultCondition(type, List.of());
  }

  /** Reads the message of a condition that is True. */
  public static FaultCondition read(String type, String message) {
    return new FaultCondition(
        type,
        Arrays.stream(message.split(SEPARATOR, -1))
            .map(String::strip)
            .filter(entry -> !entry.isEmpty())
            .map(FaultEntry::parse)
            .toList());
  }

  /** After an event of this check; only fatal failures make a condition. */
  public FaultCondition after(HealthEvent event) {
    if (event.isHealthy()) {
      return new FaultCondition(
          type,
          event.entitiesImpacted().isEmpty()
              ? List.of()
              : entries.stream().flatMap(entry -> entry.unlessCleared(event).stream()).toList());
    }
    FaultEntry entry = FaultEntry.of(event);
    if (entries.stream().anyMatch(one -> one.render().equals(entry.render()))) {
      return this;
    }
    List<FaultEntry> more = new ArrayList<>(entries);
    more.add(entry);
    if (more.size() > MOST_ENTRIES) {
      // it is the first, so that no cut takes it away, and only a recovery of all clears it
      more.remove(FaultEntry.FURTHER);
      more.subList(0, more.size() - MOST_ENTRIES + 1).clear();
      more.addFirst(FaultEntry.FURTHER);
    }
    return new FaultCondition(type, more);
  }

  public boolean isUnhealthy() {
    return !entries.isEmpty();
  }

  public String reason() {
    return reason(type, isUnhealthy());
  }

  /** What the condition of a check says, by which it is told from those of others. */
  public static String reason(String type, boolean unhealthy) {
    return type + (unhealthy ? "IsNotHealthy" : "IsHealthy");
  }

  public String message(Lengths lengths) {
    if (!isUnhealthy()) {
      return HEALTHY;
    }
    String all = join(entries);
    if (bytes(all) <= lengths.message()) {
      return all;
    }
    List<FaultEntry> newest = withoutOlderDuplicates();
    String fewer = join(newest);
    if (bytes(fewer) <= lengths.message()) {
      return fewer;
    }
    String compact =
        join(newest.stream().map(entry -> entry.shortened(lengths.compactedText())).toList());
    return bytes(compact) <= lengths.message()
        ? compact
        : ShortText.bytes(compact, lengths.message() - FaultEntry.ELLIPSIS.length())
            + FaultEntry.ELLIPSIS;
  }

  private List<FaultEntry> withoutOlderDuplicates() {
    List<FaultEntry> kept = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      FaultEntry entry = entries.get(i);
      if (entries.subList(i + 1, entries.size()).stream().noneMatch(entry::isSameAs)) {
        kept.add(entry);
      }
    }
    return kept;
  }

  private static String join(List<FaultEntry> entries) {
    return entries.stream().map(entry -> entry.render() + SEPARATOR).collect(Collectors.joining());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}

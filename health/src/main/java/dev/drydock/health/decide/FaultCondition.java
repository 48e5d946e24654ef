package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  /** From the message of a condition that is True. */
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
    boolean known = entries.stream().anyMatch(one -> one.render().equals(entry.render()));
    List<FaultEntry> more = new ArrayList<>(entries);
    if (!known) {
      more.add(entry);
    }
    return new FaultCondition(type, more);
  }

  public boolean isUnhealthy() {
    return !entries.isEmpty();
  }

  public String reason() {
    return type + (isUnhealthy() ? "IsNotHealthy" : "IsHealthy");
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
        : FaultEntry.cut(compact, lengths.message() - FaultEntry.ELLIPSIS.length())
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

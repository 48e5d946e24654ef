package dev.drydock.health.decide;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the tracked failures of a node few and small, whatever is sent: they are annotations of the
 * Node, which together may have 256 KiB. A failure that does not fit is tracked as one of its whole
 * check, and if there are too many checks, as one of the node. So a node never returns while a
 * failure is left that is not tracked by itself.
 */
public final class FaultBounds {
  /** Tracked by themselves, and their text. */
  private static final int MOST_FAULTS = 64;

  private static final int MOST_BYTES = 64 << 10;
  private static final int MOST_EVENT_BYTES = 16 << 10;

  /** Further ones that stand for their whole check. */
  private static final int MOST_CHECKS = 32;

  private static final int MOST_CHECK_BYTES = 2 << 10;

  /** The longest message, in characters; the whole text is in the event store. */
  private static final int LONGEST_MESSAGE = 256;

  /** Names of fields, numbers and times of an event in JSON. */
  private static final int JSON_BYTES = 700;

  /** In the metadata of a forced quarantine: who wants it. */
  static final String CREATOR = "creator_id";

  private static final int ENTITY_BYTES = 40;
  private static final int ENTRY_BYTES = 6;

  private FaultBounds() {}

  /** The failures with one more, which none of them covers. */
  static List<TrackedFault> with(List<TrackedFault> tracked, TrackedFault fault) {
    TrackedFault small = small(fault);
    int bytes = bytes(small.event());
    List<TrackedFault> themselves =
        tracked.stream().filter(one -> one.scope() == TrackedFault.Scope.ITSELF).toList();
    boolean fits =
        themselves.size() < MOST_FAULTS
            && bytes <= MOST_EVENT_BYTES
            && bytes + themselves.stream().mapToInt(one -> bytes(one.event())).sum() <= MOST_BYTES;
    if (fits) {
      return added(tracked, small);
    }
    TrackedFault check = small.ofCheck();
    boolean known = tracked.stream().anyMatch(check::isSameScope);
    boolean checkFits =
        tracked.size() - themselves.size() < MOST_CHECKS
            && bytes(check.event()) <= MOST_CHECK_BYTES;
    return merged(tracked, known || checkFits ? check : small.ofNode());
  }

  private static List<TrackedFault> added(List<TrackedFault> tracked, TrackedFault fault) {
    List<TrackedFault> more = new ArrayList<>(tracked);
    more.add(fault);
    return more;
  }

  /** What the failures want together is kept: rule sets, and force. */
  private static List<TrackedFault> merged(List<TrackedFault> tracked, TrackedFault fault) {
    Optional<TrackedFault> same = tracked.stream().filter(fault::isSameScope).findFirst();
    if (same.isEmpty()) {
      return added(tracked, fault);
    }
    TrackedFault one = same.get();
    HealthEvent event =
        fault.isForced() && !one.isForced()
            ? one.event().toBuilder()
                .quarantineOverrides(new BehaviourOverrides(true, false))
                .build()
            : one.event();
    Optional<List<String>> rules =
        one.ruleSets().isPresent() && fault.ruleSets().isPresent()
            ? Optional.of(union(one.ruleSets().get(), fault.ruleSets().get()))
            : Optional.empty();
    TrackedFault both = new TrackedFault(event, one.created(), rules);
    return tracked.stream().map(each -> each.equals(one) ? both : each).toList();
  }

  private static List<String> union(List<String> some, List<String> others) {
    Set<String> all = new LinkedHashSet<>(some);
    all.addAll(others);
    return List.copyOf(all);
  }

  /** Only this class says what a failure stands for. */
  private static TrackedFault small(TrackedFault fault) {
    return fault.with(small(fault.event()));
  }

  /** A copy without what nobody needs on the Node. */
  public static HealthEvent small(HealthEvent event) {
    HealthEvent.Builder slim =
        event.toBuilder().message(beginning(event.message())).withoutMetadata(TrackedFault.SCOPE);
    if (bytes(event) > MOST_EVENT_BYTES) {
      String creator = event.metadata().get(CREATOR);
      slim.metadata(creator == null ? Map.of() : Map.of(CREATOR, beginning(creator)));
    }
    return slim.build();
  }

  private static String beginning(String text) {
    return text.codePointCount(0, text.length()) <= LONGEST_MESSAGE
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST_MESSAGE));
  }

  /** The most bytes that an event can have in JSON. */
  static int bytes(HealthEvent event) {
    int bytes = JSON_BYTES;
    for (String text :
        List.of(
            event.agent(),
            event.componentClass(),
            event.checkName(),
            event.message(),
            event.nodeName(),
            event.id(),
            event.customRecommendedAction())) {
      bytes += bytes(text);
    }
    for (String code : event.errorCode()) {
      bytes += ENTRY_BYTES + bytes(code);
    }
    for (ImpactedEntity entity : event.entitiesImpacted()) {
      bytes += ENTITY_BYTES + bytes(entity.entityType()) + bytes(entity.entityValue());
    }
    for (Map.Entry<String, String> entry : event.metadata().entrySet()) {
      bytes += ENTRY_BYTES + bytes(entry.getKey()) + bytes(entry.getValue());
    }
    return bytes;
  }

  /** The bytes of a text in JSON, with escapes. */
  private static int bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < ' ') {
        bytes += 6;
      } else if (each == '"' || each == '\\') {
        bytes += 2;
      } else {
        bytes += each < 0x80 ? 1 : 3;
      }
    }
    return bytes;
  }
}

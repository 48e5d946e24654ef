package dev.drydock.health.decide;

import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One failure in the message of a node's condition.
 *
 * @param codes as tokens, such as {@code ErrorCode:79}
 * @param entities as tokens, such as {@code GPU:0}
 * @param cut whether its end is missing, so that entities may be missing too
 */
public record FaultEntry(
    List<String> codes, List<String> entities, String text, String action, boolean cut) {
  private static final String CODE = "ErrorCode:";
  private static final String ACTION = "Recommended Action=";
  static final String ELLIPSIS = "...";
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_./-]+:\\S+");

  /** How many codes and entities of an event are kept, however many it names. */
  private static final int MOST_TOKENS = 32;

  private static final int LONGEST_TOKEN = 128;
  private static final int LONGEST_TEXT = 1024;

  /** Stands for failures that are not kept. */
  static final FaultEntry FURTHER =
      new FaultEntry(List.of(), List.of(), "further failures, see drydock events", "", false);

  private static final Comparator<ImpactedEntity> STABLE =
      Comparator.comparing(ImpactedEntity::entityType).thenComparing(ImpactedEntity::entityValue);

  public FaultEntry {
    codes = List.copyOf(codes);
    entities = List.copyOf(entities);
  }

  static FaultEntry of(HealthEvent event) {
    List<String> codes = codes(event);
    List<String> entities = entities(event);
    return new FaultEntry(
        codes.stream().limit(MOST_TOKENS).toList(),
        entities.stream().limit(MOST_TOKENS).toList(),
        ShortText.bytes(clean(event.message()), LONGEST_TEXT),
        event.recommendedAction().name(),
        codes.size() > MOST_TOKENS || entities.size() > MOST_TOKENS);
  }

  static List<String> codes(HealthEvent event) {
    return event.errorCode().stream()
        .map(code -> CODE + ShortText.bytes(clean(code), LONGEST_TOKEN))
        .toList();
  }

  /** The entities in an order that does not depend on the monitor. */
  static List<String> entities(HealthEvent event) {
    return event.entitiesImpacted().stream()
        .sorted(STABLE)
        .map(entity -> clean(entity.entityType() + ":" + entity.entityValue()))
        .map(token -> ShortText.bytes(token, LONGEST_TOKEN))
        .distinct()
        .toList();
  }

  /** Entries are separated by semicolons. */
  private static String clean(String text) {
    return text.replace(';', '.').strip();
  }

  static FaultEntry parse(String entry) {
    int at = entry.lastIndexOf(ACTION);
    boolean cut = at < 0 && entry.endsWith(ELLIPSIS);
    String action = at < 0 ? "" : entry.substring(at + ACTION.length()).strip();
    String rest = (at < 0 ? entry : entry.substring(0, at)).strip();
    List<String> codes = new ArrayList<>();
    List<String> entities = new ArrayList<>();
    while (!rest.isEmpty()) {
      String token = rest.split(" ", 2)[0];
      if (!TOKEN.matcher(token).matches() || (cut && token.endsWith(ELLIPSIS))) {
        break;
      }
      (token.startsWith(CODE) ? codes : entities).add(token);
      rest = rest.substring(token.length()).stripLeading();
    }
    return new FaultEntry(codes, entities, rest, action, cut);
  }

  String render() {
    return render(text);
  }

  private String render(String shown) {
    StringBuilder entry = new StringBuilder();
    codes.forEach(token -> entry.append(token).append(' '));
    entities.forEach(token -> entry.append(token).append(' '));
    if (!shown.isEmpty()) {
      entry.append(shown);
    }
    if (!action.isEmpty()) {
      entry.append(shown.isEmpty() ? "" : " ").append(ACTION).append(action);
    }
    return entry.toString().strip();
  }

  /** A copy with at most so many bytes of text; codes, entities and action stay. */
  FaultEntry shortened(int bytes) {
    return text.getBytes(StandardCharsets.UTF_8).length <= bytes
        ? this
        : new FaultEntry(codes, entities, ShortText.bytes(text, bytes) + ELLIPSIS, action, cut);
  }

  /** Whether both are about the same failure of the same device. */
  boolean isSameAs(FaultEntry other) {
    return codes.equals(other.codes)
        && action.equals(other.action)
        && entities.stream().filter(FaultEntry::isDevice).anyMatch(other.entities::contains);
  }

  private static boolean isDevice(String token) {
    String type = token.substring(0, Math.max(0, token.indexOf(':')));
    return type.toUpperCase(Locale.ROOT).startsWith("GPU")
        || type.toUpperCase(Locale.ROOT).startsWith("PCI");
  }

  /**
   * Whether a healthy event clears it: it mentions all entities of the event and, if the event has
   * codes, one of them. Of an entry whose end was cut off, what is not seen may have been there.
   */
  boolean isClearedBy(HealthEvent healthy) {
    List<String> cleared = entities(healthy);
    boolean mentioned = entities.containsAll(cleared) || (cut && cleared.containsAll(entities));
    List<String> of = codes(healthy);
    return mentioned
        && (of.isEmpty() || codes.stream().anyMatch(of::contains) || (cut && codes.isEmpty()));
  }

  Optional<FaultEntry> unlessCleared(HealthEvent healthy) {
    return isClearedBy(healthy) ? Optional.empty() : Optional.of(this);
  }
}

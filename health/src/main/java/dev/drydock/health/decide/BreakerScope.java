package dev.drydock.health.decide;

import java.util.Locale;
import java.util.Optional;

/**
 * What a breaker counts: the nodes of the fleet, of a failure domain, or with the same cause.
 *
 * @param kind {@code fleet}, {@code domain} or {@code cause}
 * @param name e.g. {@code topology.kubernetes.io/rack=r1} or {@code SysLogsXIDError}; empty of the
 *     fleet
 */
public record BreakerScope(Kind kind, String name) implements Comparable<BreakerScope> {
  public static final BreakerScope FLEET = new BreakerScope(Kind.FLEET, "");

  /** A closed set, part of the API. */
  public enum Kind {
    FLEET,
    DOMAIN,
    CAUSE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static BreakerScope domain(String label, String value) {
    return new BreakerScope(Kind.DOMAIN, label + "=" + value);
  }

  public static BreakerScope cause(String checkName) {
    return new BreakerScope(Kind.CAUSE, checkName);
  }

  /** Reads what {@link #toString} writes. */
  public static Optional<BreakerScope> find(String text) {
    for (Kind kind : Kind.values()) {
      if (text.equals(kind.word()) && kind == Kind.FLEET) {
        return Optional.of(FLEET);
      }
      if (kind != Kind.FLEET && text.startsWith(kind.word() + ":")) {
        return Optional.of(new BreakerScope(kind, text.substring(kind.word().length() + 1)));
      }
    }
    return Optional.empty();
  }

  @Override
  public int compareTo(BreakerScope other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? kind.word() : kind.word() + ":" + name;
  }
}

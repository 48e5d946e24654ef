package dev.drydock.serve.tls.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When certificates are renewed: before they expire, and only by a CA that the API servers already
 * trust.
 */
public final class CertificateRotationPlan {
  public static final Duration AUTHORITY_VALIDITY = Duration.ofDays(3 * 365);
  public static final Duration SERVING_VALIDITY = Duration.ofDays(90);

  /** Renew when this much validity is left. */
  static final Duration AUTHORITY_MARGIN = Duration.ofDays(365);

  static final Duration SERVING_MARGIN = Duration.ofDays(30);

  /** A CA is in the caBundle for this time before it signs a serving certificate. */
  static final Duration OVERLAP = Duration.ofHours(1);

  private CertificateRotationPlan() {}

  /**
   * Whose certificates are trusted.
   *
   * @param canSign its key is there, and fits
   */
  public record Authority(Instant issued, Instant expires, boolean canSign) {}

  /**
   * What is served.
   *
   * @param authority which of the authorities signed it; -1 for none of them
   * @param fits its key and its names are right
   */
  public record Serving(Instant expires, int authority, boolean fits) {}

  /**
   * What there is.
   *
   * @param authorities the newest, which signs, first
   */
  public record Kept(List<Authority> authorities, Optional<Serving> serving) {}

  /**
   * What to do now.
   *
   * @param nextLook when time alone brings the next step; of use only if nothing is to be done
   */
  public record Step(boolean newAuthority, boolean newServing, Instant nextLook) {
    public boolean isIdle() {
      return !newAuthority && !newServing;
    }
  }

  public static Step next(Kept kept, Instant now) {
    boolean usable = kept.serving().filter(serving -> isUsable(serving, kept, now)).isPresent();
    Optional<Authority> signing =
        kept.authorities().stream()
            .findFirst()
            .filter(first -> first.canSign() && now.isBefore(end(first)));
    if (signing.isEmpty()) {
      // The serving certificate stays until the new CA is known everywhere, if it is still valid.
      return new Step(true, !usable, now);
    }
    if (!usable) {
      return new Step(false, true, now);
    }
    Serving serving = kept.serving().orElseThrow();
    Instant known = signing.get().issued().plus(OVERLAP);
    Instant due = serving.authority() == 0 ? serving.expires().minus(SERVING_MARGIN) : known;
    Instant renewal = due.isAfter(known) ? due : known;
    Instant end = end(signing.get());
    return new Step(false, !now.isBefore(renewal), renewal.isBefore(end) ? renewal : end);
  }

  private static Instant end(Authority authority) {
    return authority.expires().minus(AUTHORITY_MARGIN);
  }

  private static boolean isUsable(Serving serving, Kept kept, Instant now) {
    int by = serving.authority();
    return serving.fits()
        && now.isBefore(serving.expires())
        && by >= 0
        && now.isBefore(kept.authorities().get(by).expires());
  }
}

package dev.drydock.slingshot.decide;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which CXIDriver of a cluster is active: the same for everybody who looks at the same objects. */
public final class ActiveDriver {
  /** One of the CXIDrivers. */
  public record Candidate(String name, Instant created, boolean deleted) {}

  private ActiveDriver() {}

  /**
   * The recorded one as long as it exists and is not being deleted; otherwise the oldest, and of
   * several equally old ones the first by name.
   *
   * @param recorded the name in the ConfigMap; empty if there is none
   */
  public static Optional<String> of(String recorded, Collection<Candidate> all) {
    return all.stream()
        .filter(each -> !each.deleted())
        .min(
            Comparator.<Candidate, Boolean>comparing(each -> !each.name().equals(recorded))
                .thenComparing(Candidate::created)
                .thenComparing(Candidate::name))
        .map(Candidate::name);
  }
}

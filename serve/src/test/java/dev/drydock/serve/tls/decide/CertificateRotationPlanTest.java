package dev.drydock.serve.tls.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.serve.tls.decide.CertificateRotationPlan.Authority;
import dev.drydock.serve.tls.decide.CertificateRotationPlan.Kept;
import dev.drydock.serve.tls.decide.CertificateRotationPlan.Serving;
import dev.drydock.serve.tls.decide.CertificateRotationPlan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateRotationPlanTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LONG_AGO = Duration.ofDays(10);

  private static Authority authority(Duration age) {
    Instant issued = NOW.minus(age);
    return new Authority(issued, issued.plus(CertificateRotationPlan.AUTHORITY_VALIDITY), true);
  }

  private static Serving serving(Duration age, int authority) {
    return new Serving(
        NOW.minus(age).plus(CertificateRotationPlan.SERVING_VALIDITY), authority, true);
  }

  private static Step next(List<Authority> authorities, Optional<Serving> serving) {
    return CertificateRotationPlan.next(new Kept(authorities, serving), NOW);
  }

  private static void assertStep(Step step, boolean newAuthority, boolean newServing) {
    assertThat(step.newAuthority()).as("a new authority").isEqualTo(newAuthority);
    assertThat(step.newServing()).as("a new certificate").isEqualTo(newServing);
  }

  @Test
  void whereThereIsNothingEverythingIsMade() {
    assertStep(next(List.of(), Optional.empty()), true, true);
  }

  @Test
  void freshOnesAreLeftAloneUntilTheCertificateIsDue() {
    Step step = next(List.of(authority(LONG_AGO)), Optional.of(serving(LONG_AGO, 0)));

    assertThat(step.isIdle()).isTrue();
    assertThat(step.nextLook())
        .isEqualTo(
            NOW.minus(LONG_AGO)
                .plus(CertificateRotationPlan.SERVING_VALIDITY)
                .minus(CertificateRotationPlan.SERVING_MARGIN));
  }

  @Test
  void aCertificateIsRenewedLongBeforeItEnds() {
    Duration age =
        CertificateRotationPlan.SERVING_VALIDITY.minus(CertificateRotationPlan.SERVING_MARGIN);

    assertStep(next(List.of(authority(age)), Optional.of(serving(age, 0))), false, true);
    assertStep(
        next(List.of(authority(age)), Optional.of(serving(age.minusSeconds(1), 0))), false, false);
  }

  @Test
  void whatDoesNotFitIsReplacedAtOnce() {
    List<Authority> justMade = List.of(authority(Duration.ZERO));
    Instant later = NOW.plus(Duration.ofDays(50));

    assertStep(next(justMade, Optional.of(new Serving(later, 0, false))), false, true);
    assertStep(next(justMade, Optional.of(new Serving(later, -1, true))), false, true);
    assertStep(next(justMade, Optional.of(new Serving(NOW, 0, true))), false, true);
    assertStep(next(justMade, Optional.empty()), false, true);
  }

  @Test
  void anAuthorityIsReplacedLongBeforeItEndsAndWhatIsServedStays() {
    Duration age =
        CertificateRotationPlan.AUTHORITY_VALIDITY.minus(CertificateRotationPlan.AUTHORITY_MARGIN);

    assertStep(next(List.of(authority(age)), Optional.of(serving(LONG_AGO, 0))), true, false);
    assertThat(
            next(List.of(authority(age.minusSeconds(1))), Optional.of(serving(LONG_AGO, 0)))
                .nextLook())
        .isEqualTo(NOW.plusSeconds(1));
  }

  @Test
  void anAuthorityWithoutItsKeyIsReplaced() {
    Authority keyless = new Authority(NOW, NOW.plus(Duration.ofDays(900)), false);

    assertStep(next(List.of(keyless), Optional.of(serving(LONG_AGO, 0))), true, false);
    assertStep(next(List.of(keyless), Optional.empty()), true, true);
  }

  @Test
  void aNewAuthorityIsAnnouncedBeforeItSignsWhatIsServed() {
    List<Authority> both =
        List.of(authority(Duration.ofMinutes(10)), authority(Duration.ofDays(800)));
    Step waiting = next(both, Optional.of(serving(LONG_AGO, 1)));
    assertThat(waiting.isIdle()).isTrue();
    assertThat(waiting.nextLook()).isEqualTo(NOW.plus(Duration.ofMinutes(50)));

    List<Authority> known =
        List.of(authority(CertificateRotationPlan.OVERLAP), authority(Duration.ofDays(800)));
    assertStep(next(known, Optional.of(serving(LONG_AGO, 1))), false, true);
  }

  /** Looks late or early, as processes come and go: what is served is always good and known. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void overTheYearsWhatIsServedIsAlwaysTrusted(long seed) {
    Random random = new Random(seed);
    Instant now = NOW;
    List<Authority> authorities = new ArrayList<>();
    Optional<Serving> serving = Optional.empty();
    Optional<Authority> signer = Optional.empty();
    for (int i = 0; i < 5_000; i++) {
      Step step = CertificateRotationPlan.next(new Kept(List.copyOf(authorities), serving), now);
      if (step.newAuthority()) {
        authorities.addFirst(
            new Authority(now, now.plus(CertificateRotationPlan.AUTHORITY_VALIDITY), true));
        serving = serving.map(old -> new Serving(old.expires(), old.authority() + 1, true));
      }
      if (step.newServing()) {
        boolean urgent = serving.isEmpty() || !now.isBefore(serving.get().expires());
        signer = Optional.of(authorities.getFirst());
        assertThat(
                urgent
                    || !now.isBefore(signer.get().issued().plus(CertificateRotationPlan.OVERLAP)))
            .as("the API servers know who signed it")
            .isTrue();
        serving =
            Optional.of(new Serving(now.plus(CertificateRotationPlan.SERVING_VALIDITY), 0, true));
      }
      assertThat(serving.orElseThrow().expires()).isAfter(now);
      assertThat(signer.orElseThrow().expires()).isAfter(serving.get().expires());
      if (step.isIdle()) {
        assertThat(step.nextLook()).isAfter(now);
        Duration wait = Duration.between(now, step.nextLook());
        Duration late = Duration.ofSeconds(random.nextLong(Duration.ofDays(20).toSeconds()));
        now = now.plus(wait).plus(random.nextBoolean() ? late : Duration.ZERO);
      }
    }
    assertThat(authorities).hasSizeGreaterThan(10);
  }
}

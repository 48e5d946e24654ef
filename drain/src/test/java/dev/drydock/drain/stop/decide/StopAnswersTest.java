package dev.drydock.drain.stop.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every Lease: whose it is, whether it is held, what its holder has seen, and how old it is. */
class StopAnswersTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final Duration LASTS = Duration.ofSeconds(15);
  private static final List<String> NAMESPACES =
      List.of("drydock-system", "default", StopLease.AGENT_NAMESPACE);
  private static final List<String> NAMES =
      List.of(
          StopLease.OPERATOR,
          StopLease.UNELECTED_OPERATOR + "1",
          "bf7f9b28.hpe.com",
          StopLease.AGENT + "n1",
          StopLease.EDGE_AGENT + "n1",
          "n1");

  /** Just renewed, at the limit, beyond it, and without a time that can be read. */
  private static final List<Optional<Instant>> RENEWED =
      List.of(
          Optional.of(NOW),
          Optional.of(NOW.minus(LASTS.multipliedBy(4))),
          Optional.of(NOW.minus(LASTS.multipliedBy(4)).minusNanos(1)),
          Optional.empty());

  private static StopLease lease(
      String namespace,
      String name,
      String holder,
      Optional<String> seen,
      Optional<Instant> renewed,
      Duration lasts) {
    return new StopLease(
        namespace,
        name,
        holder,
        seen,
        renewed.map(Instant::toString).orElse("some day"),
        renewed,
        lasts);
  }

  @Test
  void everyHolderOfOursHasSeenItOrIsNamed() {
    for (String namespace : NAMESPACES) {
      for (String name : NAMES) {
        for (String holder : List.of("", "me")) {
          for (Optional<String> seen :
              List.of(Optional.<String>empty(), Optional.of("6"), Optional.of("7"))) {
            for (Optional<Instant> renewed : RENEWED) {
              for (Duration lasts : List.of(Duration.ZERO, LASTS)) {
                check(lease(namespace, name, holder, seen, renewed, lasts));
              }
            }
          }
        }
      }
    }
  }

  private static void check(StopLease lease) {
    StopAnswers answers = StopAnswers.of(List.of(lease), "drydock-system", "7", NOW);

    boolean operator =
        lease.name().startsWith("drydock-operator") || lease.name().equals("bf7f9b28.hpe.com");
    boolean agent =
        !operator && !lease.name().equals("n1") && lease.namespace().equals("kube-node-lease");
    boolean counts = (operator || agent) && !lease.holder().isEmpty();
    boolean hasSeen = lease.seen().equals(Optional.of("7"));
    boolean gone =
        lease.lasts().equals(LASTS)
            && lease.renewedAt().filter(NOW.minusSeconds(60)::isAfter).isPresent();
    assertThat(answers.seen()).as("%s", lease).isEqualTo(counts && hasSeen ? 1 : 0);
    assertThat(answers.missing()).as("%s", lease).hasSize(counts && !hasSeen && !gone ? 1 : 0);
    assertThat(answers.gone()).as("%s", lease).hasSize(counts && !hasSeen && gone ? 1 : 0);
    assertThat(answers.unknown()).isEmpty();
    assertThat(answers.isComplete()).isEqualTo(answers.missing().isEmpty());
    for (String line : answers.missing()) {
      assertThat(line)
          .startsWith(
              "%s me (Lease %s/%s, last renewed %s)"
                  .formatted(
                      operator ? "operator" : "agent",
                      lease.namespace(),
                      lease.name(),
                      lease.renewTime()));
      assertThat(line.endsWith("stop it with --operator-namespace " + lease.namespace()))
          .isEqualTo(operator && !lease.namespace().equals("drydock-system"));
    }
  }

  @Test
  void linesAreSortedAndUnknownIsNeverComplete() {
    StopLease second =
        lease("a", StopLease.OPERATOR, "z", Optional.empty(), Optional.of(NOW), LASTS);
    StopLease first =
        lease("b", StopLease.OPERATOR, "y", Optional.empty(), Optional.of(NOW), LASTS);

    assertThat(StopAnswers.of(List.of(second, first), "a", "7", NOW).missing())
        .isSorted()
        .hasSize(2);
    assertThat(StopAnswers.unknown("forbidden").isComplete()).isFalse();
  }

  @Test
  void aLeaseIsLongGoneOnlyAfterHours() {
    for (Optional<Instant> renewed : RENEWED) {
      assertThat(
              lease("a", StopLease.UNELECTED_OPERATOR, "me", Optional.empty(), renewed, LASTS)
                  .isLongGone(NOW))
          .isFalse();
    }
    Optional<Instant> hoursAgo = Optional.of(NOW.minus(Duration.ofHours(2)));
    assertThat(
            lease("a", StopLease.UNELECTED_OPERATOR, "me", Optional.empty(), hoursAgo, LASTS)
                .isLongGone(NOW))
        .isTrue();
    assertThat(
            lease(
                    "a",
                    StopLease.UNELECTED_OPERATOR,
                    "me",
                    Optional.empty(),
                    hoursAgo,
                    Duration.ZERO)
                .isLongGone(NOW))
        .as("without a duration")
        .isFalse();
  }
}

package dev.drydock.health.connector.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PublisherDeciderTest {
  private static final String LISTED = "system:serviceaccount:m:csp";
  private static final PublisherDecider CLOSED =
      new PublisherDecider("here", Set.of(LISTED), false);
  private static final PublisherDecider OPEN = new PublisherDecider("here", Set.of(LISTED), true);

  private static Credentials token(String user, String pod, String node) {
    return new Credentials.Verified(
        new PublisherIdentity(
            user,
            Optional.of(pod).filter(text -> !text.isEmpty()),
            Optional.of(node).filter(text -> !text.isEmpty())));
  }

  private static HealthEvent about(String node) {
    return HealthEvent.builder().nodeName(node).build();
  }

  /** Credentials, node of the event, and the reason of the refusal; empty if taken. */
  static Stream<Arguments> calls() {
    Credentials none = new Credentials.None();
    Credentials cross = token(LISTED, "p", "here");
    return Stream.of(
        Arguments.of(none, "here", ""),
        Arguments.of(none, "", ""),
        Arguments.of(none, "there", "node_mismatch"),
        Arguments.of(new Credentials.Malformed(), "here", "malformed_credentials"),
        Arguments.of(new Credentials.Invalid(), "here", "token_invalid"),
        Arguments.of(token("other", "p", "there"), "here", "node_claim_mismatch"),
        Arguments.of(token(LISTED, "p", "there"), "there", "node_claim_mismatch"),
        Arguments.of(token("other", "p", "here"), "here", ""),
        Arguments.of(token("other", "", ""), "here", ""),
        Arguments.of(token("other", "p", "here"), "there", "node_mismatch"),
        Arguments.of(token(LISTED, "", ""), "here", "unbound_cross_node_token"),
        Arguments.of(token(LISTED, "p", ""), "here", "cross_node_claim_absent"),
        Arguments.of(cross, "there", ""),
        Arguments.of(cross, "here", ""),
        Arguments.of(cross, " ", "missing_node_name"),
        Arguments.of(
            new Credentials.Unknown(Credentials.Outage.UNAVAILABLE),
            "here",
            "validator_unavailable"),
        Arguments.of(
            new Credentials.Unknown(Credentials.Outage.TIMEOUT), "here", "validator_timeout"),
        Arguments.of(new Credentials.Unknown(Credentials.Outage.ERROR), "here", "validator_error"));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void refusesAndTakes(Credentials credentials, String node, String reason) {
    Optional<Refusal> refusal =
        CLOSED.check(CLOSED.scope(credentials), List.of(about("here"), about(node)));

    assertThat(refusal.map(Refusal::reason).orElse("")).isEqualTo(reason);
  }

  @Test
  void withoutAVerdictFailOpenMeansThisNode() {
    PublisherScope guess = OPEN.scope(new Credentials.Unknown(Credentials.Outage.ERROR));

    assertThat(OPEN.check(guess, List.of(about("here")))).isEmpty();
    assertThat(OPEN.check(guess, List.of(about("there"))))
        .hasValueSatisfying(
            refusal -> assertThat(refusal.kind()).isEqualTo(Refusal.Kind.UNAVAILABLE));
  }

  @Test
  void auditLetsPassAllButAMissingName() {
    assertThat(new Refusal(Refusal.Kind.PERMISSION_DENIED, "r", "m").passesAudit()).isTrue();
    assertThat(new Refusal(Refusal.Kind.INVALID_ARGUMENT, "r", "m").passesAudit()).isFalse();
  }
}

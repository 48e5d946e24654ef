package dev.drydock.health.ingest.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.PublisherIdentity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IngestDeciderTest {
  private static final String CONNECTOR = "system:serviceaccount:d:connector";
  private static final String SPOOL = "01234567-89ab-cdef-0123-456789abcdef";
  private static final IngestDecider DECIDER = new IngestDecider(Set.of(CONNECTOR), Set.of("m"));
  private static final IngestDecider NOBODY = new IngestDecider(Set.of(CONNECTOR), Set.of());
  private static final List<String> KEY = List.of("batch-1");

  private static Credentials token(String user, String pod, String node) {
    return new Credentials.Verified(
        new PublisherIdentity(
            user,
            Optional.of(pod).filter(text -> !text.isEmpty()),
            Optional.of(node).filter(text -> !text.isEmpty())));
  }

  private static List<HealthEvent> about(String node) {
    return List.of(HealthEvent.builder().nodeName(node).build());
  }

  private static String reason(IngestDecider.Verdict verdict) {
    return verdict instanceof IngestDecider.Verdict.Refused refused
        ? refused.refusal().reason()
        : "";
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        Arguments.of(DECIDER, new Credentials.None(), KEY, "token_missing"),
        Arguments.of(DECIDER, new Credentials.Malformed(), KEY, "malformed_credentials"),
        Arguments.of(DECIDER, new Credentials.Invalid(), KEY, "token_invalid"),
        Arguments.of(
            DECIDER,
            new Credentials.Unknown(Credentials.Outage.UNAVAILABLE),
            KEY,
            "validator_unavailable"),
        Arguments.of(
            DECIDER, new Credentials.Unknown(Credentials.Outage.TIMEOUT), KEY, "validator_timeout"),
        Arguments.of(
            DECIDER, new Credentials.Unknown(Credentials.Outage.ERROR), KEY, "validator_error"),
        Arguments.of(DECIDER, token("m", "", ""), KEY, "unbound_token"),
        Arguments.of(DECIDER, token("m", "p", ""), KEY, "node_claim_absent"),
        Arguments.of(DECIDER, token("m", "p", "there"), KEY, "node_mismatch"),
        Arguments.of(DECIDER, token("m", "p", "here"), KEY, ""),
        Arguments.of(DECIDER, token("evil", "p", "here"), KEY, "identity_not_allowed"),
        Arguments.of(NOBODY, token("m", "p", "here"), KEY, "identity_not_allowed"),
        Arguments.of(NOBODY, token(CONNECTOR, "p", "here"), KEY, ""),
        Arguments.of(DECIDER, token("m", "p", "here"), List.of(), "idempotency_key"),
        Arguments.of(DECIDER, token("m", "p", "here"), List.of("a", "a"), "idempotency_key"),
        Arguments.of(DECIDER, token("m", "p", "here"), List.of("a b"), "idempotency_key"),
        Arguments.of(DECIDER, token("m", "p", "here"), List.of("x".repeat(129)), "idempotency_key"),
        Arguments.of(DECIDER, token(CONNECTOR, "p", "there"), KEY, ""),
        Arguments.of(DECIDER, token(CONNECTOR, "", ""), KEY, "unbound_token"),
        Arguments.of(DECIDER, token(CONNECTOR, "p", ""), KEY, "node_claim_absent"));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void refusesAndTakes(
      IngestDecider decider, Credentials credentials, List<String> keys, String reason) {
    assertThat(reason(decider.decide(credentials, keys, Optional.empty(), about("here"))))
        .isEqualTo(reason);
  }

  @Test
  void aConnectorWithoutAPodIsRefusedAlsoWithASpool() {
    assertThat(
            reason(DECIDER.decide(token(CONNECTOR, "", ""), KEY, Optional.of(SPOOL), about("n"))))
        .isEqualTo("unbound_token");
  }

  @Test
  void keysBeginWithThePodOrTheSpool() {
    assertThat(DECIDER.decide(token("m", "pod-1", "here"), KEY, Optional.empty(), about("here")))
        .isEqualTo(new IngestDecider.Verdict.Accepted("pod-1#batch-1", about("here"), false));
    List<HealthEvent> keyed =
        about("here").stream()
            .map(
                event ->
                    event.toBuilder().metadata(HealthNames.IDEMPOTENCY_KEY, SPOOL + "#1#0").build())
            .toList();
    assertThat(DECIDER.decide(token(CONNECTOR, "p", "n"), KEY, Optional.of(SPOOL), keyed))
        .isEqualTo(new IngestDecider.Verdict.Forwarded());
    assertThat(
            reason(
                DECIDER.decide(token(CONNECTOR, "p", "n"), KEY, Optional.of(SPOOL), about("here"))))
        .as("an event without a key of the spool")
        .isEqualTo("idempotency_key");
    assertThat(DECIDER.decide(token("m", "pod-1", "here"), KEY, Optional.of(SPOOL), about("here")))
        .as("only connectors have spools")
        .isEqualTo(new IngestDecider.Verdict.Accepted("pod-1#batch-1", about("here"), false));
    assertThat(
            reason(
                DECIDER.decide(token(CONNECTOR, "p", "n"), KEY, Optional.of("x"), about("here"))))
        .isEqualTo("idempotency_key");
    assertThat(
            reason(DECIDER.decide(token(CONNECTOR, "p", "n"), KEY, Optional.of(SPOOL), about(""))))
        .isEqualTo("missing_node_name");
  }

  @Test
  void aBlankNodeIsThatOfTheCallersPodAndNoneIfItMaySendAboutAny() {
    assertThat(DECIDER.decide(token("m", "pod-1", "here"), KEY, Optional.empty(), about("")))
        .isEqualTo(new IngestDecider.Verdict.Accepted("pod-1#batch-1", about("here"), false));
    assertThat(
            reason(DECIDER.decide(token(CONNECTOR, "p", "n"), KEY, Optional.empty(), about(" "))))
        .isEqualTo("missing_node_name");
    assertThat(DECIDER.decide(token(CONNECTOR, "p", "n"), KEY, Optional.empty(), about("here")))
        .isEqualTo(new IngestDecider.Verdict.Accepted("p#batch-1", about("here"), true));
  }
}

package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.serve.tls.decide.CertificateRotationPlan;
import dev.drydock.serve.tls.decide.CertificateRotationPlan.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredCertificatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> NAMES = List.of("a.b.svc", "localhost", "127.0.0.1");

  private final CertificateIssuer issuer = new CertificateIssuer();

  private StoredCertificates after(StoredCertificates before, Instant now) {
    Step step = CertificateRotationPlan.next(before.facts(NAMES), now);
    return before.after(step, NAMES, issuer, now);
  }

  @Test
  void whatIsMadeIsReadBackAndLeftAlone() {
    StoredCertificates made = after(StoredCertificates.NONE, NOW);
    StoredCertificates read = StoredCertificates.read(made.data());

    assertThat(read).isEqualTo(made);
    assertThat(CertificateRotationPlan.next(read.facts(NAMES), NOW).isIdle()).isTrue();
    assertThat(read.serving().orElseThrow().certificate().getNotAfter())
        .isEqualTo(NOW.plus(CertificateRotationPlan.SERVING_VALIDITY));
  }

  @Test
  void otherNamesWantAnotherCertificate() {
    StoredCertificates made = after(StoredCertificates.NONE, NOW);

    Step step = CertificateRotationPlan.next(made.facts(List.of("other.b.svc")), NOW);

    assertThat(step.newServing()).isTrue();
    assertThat(step.newAuthority()).isFalse();
  }

  @Test
  void anAuthorityIsReplacedInThreeSteps() {
    StoredCertificates first = after(StoredCertificates.NONE, NOW);
    Instant due = NOW.plus(Duration.ofDays(2 * 365 - 20));
    StoredCertificates renewed = after(first, due);
    Instant end = NOW.plus(Duration.ofDays(2 * 365));

    StoredCertificates announced = after(renewed, end);
    assertThat(announced.authorities()).hasSize(2);
    assertThat(announced.authorities().get(1)).isEqualTo(first.authorities().getFirst());
    assertThat(announced.serving()).isEqualTo(renewed.serving());
    assertThat(announced.bundle()).contains(first.bundle());

    StoredCertificates served = after(announced, end.plus(Duration.ofHours(1)));
    assertThat(served.authorities()).isEqualTo(announced.authorities());
    assertThat(served.serving()).isNotEqualTo(announced.serving());
    assertThat(served.facts(NAMES).serving().orElseThrow().authority()).isZero();

    StoredCertificates later = after(served, NOW.plus(CertificateRotationPlan.AUTHORITY_VALIDITY));
    assertThat(later.authorities()).containsExactly(served.authorities().getFirst());
  }

  @Test
  void whatCannotBeReadIsMadeAnew() {
    Map<String, String> data = new HashMap<>(after(StoredCertificates.NONE, NOW).data());
    for (String field : List.of("ca.crt", "ca.key", "tls.crt", "tls.key")) {
      for (String wrong : List.of("", "not base64!", encode("not PEM"))) {
        Map<String, String> broken = new HashMap<>(data);
        broken.put(field, wrong);

        StoredCertificates next = after(StoredCertificates.read(broken), NOW);

        assertThat(CertificateRotationPlan.next(next.facts(NAMES), NOW).isIdle())
            .as("%s: %s", field, wrong)
            .isTrue();
      }
    }
  }

  @Test
  void aKeyOfAnotherCertificateDoesNotFit() {
    Map<String, String> data = new HashMap<>(after(StoredCertificates.NONE, NOW).data());
    data.put("tls.key", after(StoredCertificates.NONE, NOW).data().get("tls.key"));

    assertThat(
            CertificateRotationPlan.next(StoredCertificates.read(data).facts(NAMES), NOW)
                .newServing())
        .isTrue();
  }

  private static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}

package dev.drydock.serve.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.serve.tls.decide.CertificatePlan;
import dev.drydock.serve.tls.decide.CertificatePlan.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeptCertificatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> NAMES = List.of("a.b.svc", "localhost", "127.0.0.1");

  private final Mint mint = new Mint();

  private KeptCertificates after(KeptCertificates before, Instant now) {
    Step step = CertificatePlan.next(before.facts(NAMES), now);
    return before.after(step, NAMES, mint, now);
  }

  @Test
  void whatIsMadeIsReadBackAndLeftAlone() {
    KeptCertificates made = after(KeptCertificates.NONE, NOW);
    KeptCertificates read = KeptCertificates.read(made.data());

    assertThat(read).isEqualTo(made);
    assertThat(CertificatePlan.next(read.facts(NAMES), NOW).isIdle()).isTrue();
    assertThat(read.serving().orElseThrow().certificate().getNotAfter())
        .isEqualTo(NOW.plus(CertificatePlan.SERVING_VALIDITY));
  }

  @Test
  void otherNamesWantAnotherCertificate() {
    KeptCertificates made = after(KeptCertificates.NONE, NOW);

    Step step = CertificatePlan.next(made.facts(List.of("other.b.svc")), NOW);

    assertThat(step.newServing()).isTrue();
    assertThat(step.newAuthority()).isFalse();
  }

  @Test
  void anAuthorityIsReplacedInThreeSteps() {
    KeptCertificates first = after(KeptCertificates.NONE, NOW);
    Instant due = NOW.plus(Duration.ofDays(2 * 365 - 20));
    KeptCertificates renewed = after(first, due);
    Instant end = NOW.plus(Duration.ofDays(2 * 365));

    KeptCertificates announced = after(renewed, end);
    assertThat(announced.authorities()).hasSize(2);
    assertThat(announced.authorities().get(1)).isEqualTo(first.authorities().getFirst());
    assertThat(announced.serving()).isEqualTo(renewed.serving());
    assertThat(announced.bundle()).contains(first.bundle());

    KeptCertificates served = after(announced, end.plus(Duration.ofHours(1)));
    assertThat(served.authorities()).isEqualTo(announced.authorities());
    assertThat(served.serving()).isNotEqualTo(announced.serving());
    assertThat(served.facts(NAMES).serving().orElseThrow().authority()).isZero();

    KeptCertificates later = after(served, NOW.plus(CertificatePlan.AUTHORITY_VALIDITY));
    assertThat(later.authorities()).containsExactly(served.authorities().getFirst());
  }

  @Test
  void whatCannotBeReadIsMadeAnew() {
    Map<String, String> data = new HashMap<>(after(KeptCertificates.NONE, NOW).data());
    for (String field : List.of("ca.crt", "ca.key", "tls.crt", "tls.key")) {
      for (String wrong : List.of("", "not base64!", encode("not PEM"))) {
        Map<String, String> broken = new HashMap<>(data);
        broken.put(field, wrong);

        KeptCertificates next = after(KeptCertificates.read(broken), NOW);

        assertThat(CertificatePlan.next(next.facts(NAMES), NOW).isIdle())
            .as("%s: %s", field, wrong)
            .isTrue();
      }
    }
  }

  @Test
  void aKeyOfAnotherCertificateDoesNotFit() {
    Map<String, String> data = new HashMap<>(after(KeptCertificates.NONE, NOW).data());
    data.put("tls.key", after(KeptCertificates.NONE, NOW).data().get("tls.key"));

    assertThat(CertificatePlan.next(KeptCertificates.read(data).facts(NAMES), NOW).newServing())
        .isTrue();
  }

  private static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}

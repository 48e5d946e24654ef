package dev.drydock.serve.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenReviewTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Reviewer reviewer = new Reviewer();
  private final Kube kube =
      new Kube(new KubeHttp(reviewer, RequestInterceptor.NONE, 0, Duration.ofSeconds(1)), time);
  private final TokenReview tokens = new TokenReview(kube, List.of("drydock"));

  /** An API server that knows some tokens, and the audience of each. */
  private static final class Reviewer implements Transport {
    final Map<String, String> known = new HashMap<>();
    final List<String> asked = new ArrayList<>();
    boolean broken;

    @Override
    public KubeAnswer send(ApiCall call, Duration answerWithin) {
      if (broken) {
        return KubeAnswer.none("no answer");
      }
      assertThat(call.path()).isEqualTo("/apis/authentication.k8s.io/v1/tokenreviews");
      JsonNode spec = read(String.valueOf(call.body())).path("spec");
      String token = spec.path("token").asText();
      asked.add(token);
      ObjectNode body = Json.object();
      ObjectNode status = body.putObject("status");
      if (known.containsKey(token)) {
        status.put("authenticated", true);
        status.putArray("audiences").add(known.get(token));
        ObjectNode user = status.putObject("user").put("username", token + "'s").put("uid", "u");
        user.putArray("groups").add("system:authenticated");
        user.putObject("extra").putArray("authentication.kubernetes.io/node-name").add("node-1");
      }
      return new KubeAnswer(201, body, Optional.empty());
    }

    private static JsonNode read(String text) {
      try {
        return Json.read(text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
      throw new AssertionError("nobody expected " + call);
    }

    @Override
    public void close() {}
  }

  @Test
  void tellsWhoATokenBelongsTo() {
    reviewer.known.put("good", "drydock");

    TokenReview.User user = tokens.authenticate("good").orElseThrow();

    assertThat(user.name()).isEqualTo("good's");
    assertThat(user.groups()).containsExactly("system:authenticated");
    assertThat(user.node()).contains("node-1");
  }

  @Test
  void aTokenThatIsUnknownOrForSomebodyElseIsNobodys() {
    reviewer.known.put("other", "vault");

    assertThat(tokens.authenticate("unknown")).isEmpty();
    assertThat(tokens.authenticate("other")).isEmpty();
    assertThat(tokens.authenticate("")).isEmpty();
    assertThat(tokens.authenticate("x".repeat(20_000))).isEmpty();
    assertThat(reviewer.asked).containsExactly("unknown", "other");
  }

  @Test
  void anAnswerIsRememberedForAShortWhileGoodOrBad() {
    reviewer.known.put("good", "drydock");
    assertThat(tokens.authenticate("good")).isPresent();
    assertThat(tokens.authenticate("late")).isEmpty();
    reviewer.known.clear();
    reviewer.known.put("late", "drydock");

    time.advance(Duration.ofSeconds(9));
    assertThat(tokens.authenticate("good")).isPresent();
    assertThat(tokens.authenticate("late")).isEmpty();
    assertThat(reviewer.asked).hasSize(2);

    time.advance(Duration.ofSeconds(1));
    assertThat(tokens.authenticate("good")).isEmpty();
    assertThat(tokens.authenticate("late")).isPresent();
  }

  @Test
  void aFailureIsTheCallersAndIsNotRemembered() {
    reviewer.known.put("good", "drydock");
    reviewer.broken = true;
    assertThatThrownBy(() -> tokens.authenticate("good"))
        .isInstanceOf(ApiFailure.class)
        .hasMessage("a token cannot be checked: no answer");

    reviewer.broken = false;
    assertThat(tokens.authenticate("good")).isPresent();
  }

  @Test
  void onlySoManyQuestionsAreAsked() {
    reviewer.known.put("good", "drydock");
    TokenReview few =
        new TokenReview(
            kube, List.of("drydock"), new TokenReview.Limits(Duration.ofMinutes(2), 10, 0.01, 2));
    assertThat(few.authenticate("good")).isPresent();
    assertThat(few.authenticate("bad")).isEmpty();

    assertThatThrownBy(() -> few.authenticate("another"))
        .isInstanceOf(ApiFailure.class)
        .hasMessageContaining("too many tokens");
    assertThat(few.authenticate("good")).as("known").isPresent();
    assertThat(reviewer.asked).containsExactly("good", "bad");
  }

  @Test
  void aFloodOfStrangeTokensKeepsNobodyOutWhoWasKnown() {
    reviewer.known.put("good", "drydock");
    TokenReview few =
        new TokenReview(
            kube, List.of("drydock"), new TokenReview.Limits(Duration.ofMinutes(2), 3, 0.01, 6));
    assertThat(few.authenticate("good")).isPresent();
    for (int i = 0; i < 5; i++) {
      assertThat(few.authenticate("strange-" + i)).isEmpty();
    }
    assertThatThrownBy(() -> few.authenticate("one-more")).isInstanceOf(ApiFailure.class);

    assertThat(few.authenticate("good")).as("remembered").isPresent();
    assertThat(reviewer.asked).filteredOn("good"::equals).hasSize(1);
    time.advance(Duration.ofMinutes(3));
    assertThat(few.authenticate("good")).as("asked about again").isPresent();
    assertThat(reviewer.asked).filteredOn("good"::equals).hasSize(2);
  }

  @Test
  void onlySoManyAreRemembered() {
    TokenReview tokens =
        new TokenReview(
            kube,
            List.of("drydock"),
            new TokenReview.Limits(Duration.ofSeconds(10), 1000, 50, 2000));
    for (int i = 0; i <= 1000; i++) {
      assertThat(tokens.authenticate("t" + i)).isEmpty();
    }
    assertThat(tokens.authenticate("t1000")).isEmpty();
    assertThat(reviewer.asked).hasSize(1001);
    assertThat(tokens.authenticate("t0")).isEmpty();
    assertThat(reviewer.asked).hasSize(1002);
  }
}

package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * The answer to a request. If there was none, it is unknown whether the request was executed: the
 * code is 0 and the message says what happened.
 */
public record KubeAnswer(int code, JsonNode body, Optional<Duration> retryAfterHeader) {
  private static final int NONE = 0;
  private static final String TOO_LARGE = "AnswerTooLarge";

  /** A server under load asks for seconds; more is a mistake, or somebody else's number. */
  public static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(30);

  public static KubeAnswer none(String why) {
    return new KubeAnswer(NONE, Json.object().put("message", why), Optional.empty());
  }

  /** The answer was not collected, because it is larger than what a process has room for. */
  public static KubeAnswer tooLarge(String most) {
    return new KubeAnswer(
        NONE,
        Json.object().put("message", "the answer is larger than " + most).put("reason", TOO_LARGE),
        Optional.empty());
  }

  boolean isTooLarge() {
    return unanswered() && Fields.text(body, "reason").equals(TOO_LARGE);
  }

  public boolean unanswered() {
    return code == NONE;
  }

  public boolean ok() {
    return code / 100 == 2;
  }

  /** Whether the same request may succeed later. */
  public boolean isRetriable() {
    return ApiFailure.isRetriable(code);
  }

  public String message() {
    String message = body.path("message").asText("");
    return message.isBlank() ? "HTTP " + code : message.lines().findFirst().orElse("");
  }

  /** The body of a successful answer. */
  public JsonNode orThrow(String what) {
    if (!ok()) {
      throw new ApiFailure(code, what + ": " + message());
    }
    return body;
  }

  /** How long the server asks to wait, at most {@link #LONGEST_RETRY_AFTER}. */
  public Optional<Duration> retryAfter() {
    Duration inBody = Duration.ofSeconds(body.path("details").path("retryAfterSeconds").asLong(0));
    return retryAfterHeader
        .or(() -> Optional.of(inBody).filter(Duration::isPositive))
        .map(time -> time.compareTo(LONGEST_RETRY_AFTER) < 0 ? time : LONGEST_RETRY_AFTER);
  }
}

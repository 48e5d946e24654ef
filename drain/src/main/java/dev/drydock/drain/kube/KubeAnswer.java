package dev.drydock.drain.kube;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.decide.ApiAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came back. Without an answer nobody knows whether the request was carried out: its code is 0
 * and its message says what happened instead.
 */
record KubeAnswer(int code, JsonNode body, Optional<Duration> retryAfterHeader) {
  private static final int NONE = 0;

  static KubeAnswer none(String why) {
    return new KubeAnswer(NONE, Json.object().put("message", why), Optional.empty());
  }

  boolean unanswered() {
    return code == NONE;
  }

  boolean ok() {
    return code / 100 == 2;
  }

  String message() {
    String message = body.path("message").asText("");
    return message.isBlank() ? "HTTP " + code : message.lines().findFirst().orElse("");
  }

  /** The body, if it is what was asked for. */
  JsonNode orThrow(String what) {
    if (!ok()) {
      throw new ApiFailure(code, what + ": " + message());
    }
    return body;
  }

  ApiAnswer forDecision() {
    JsonNode details = body.path("details");
    List<ApiAnswer.Cause> causes = new ArrayList<>();
    for (JsonNode cause : details.path("causes")) {
      causes.add(
          new ApiAnswer.Cause(cause.path("reason").asText(""), cause.path("message").asText("")));
    }
    boolean isStatus = body.path("kind").asText("").equals("Status");
    return new ApiAnswer(
        code,
        isStatus ? body.path("status").asText("") : "",
        details.path("kind").asText(""),
        body.path("message").asText(""),
        causes,
        retryAfter());
  }

  Optional<Duration> retryAfter() {
    long seconds = body.path("details").path("retryAfterSeconds").asLong(0);
    return retryAfterHeader.or(
        () -> seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty());
  }
}

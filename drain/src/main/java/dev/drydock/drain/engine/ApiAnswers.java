package dev.drydock.drain.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.ApiAnswer;
import dev.drydock.kube.KubeAnswer;
import java.util.ArrayList;
import java.util.List;

/** Answers of the API server as decisions want them. */
final class ApiAnswers {
  private ApiAnswers() {}

  static ApiAnswer of(KubeAnswer answer) {
    JsonNode body = answer.body();
    JsonNode details = body.path("details");
    List<ApiAnswer.Cause> causes = new ArrayList<>();
    for (JsonNode cause : details.path("causes")) {
      causes.add(
          new ApiAnswer.Cause(cause.path("reason").asText(""), cause.path("message").asText("")));
    }
    boolean isStatus = body.path("kind").asText("").equals("Status");
    return new ApiAnswer(
        answer.code(),
        isStatus ? body.path("status").asText("") : "",
        details.path("kind").asText(""),
        body.path("message").asText(""),
        causes,
        answer.retryAfter());
  }
}

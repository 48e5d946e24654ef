package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.ApiAnswer;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApiAnswersTest {
  @Test
  void keepsWhatADecisionLooksAt() throws IOException {
    KubeAnswer refusal =
        new KubeAnswer(
            429,
            Json.read(
                """
                {"kind": "Status", "status": "Failure", "message": "no", "details": {
                  "kind": "pods", "retryAfterSeconds": 10,
                  "causes": [{"reason": "DisruptionBudget", "message": "needs 2"}]}}"""),
            Optional.of(Duration.ofSeconds(7)));

    assertThat(ApiAnswers.of(refusal))
        .isEqualTo(
            new ApiAnswer(
                429,
                "Failure",
                "pods",
                "no",
                List.of(new ApiAnswer.Cause("DisruptionBudget", "needs 2")),
                Optional.of(Duration.ofSeconds(7))));
  }
}

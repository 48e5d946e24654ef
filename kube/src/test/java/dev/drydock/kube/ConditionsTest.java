package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static Conditions conditions(String status, Instant since) {
    ObjectNode object = Json.object();
    object
        .putArray("conditions")
        .add(
            Conditions.of(Json.object())
                .entry(new Conditions.Condition("Ready", status, "r", "m"), since));
    return Conditions.of(object);
  }

  @Test
  void theTimeChangesWithTheStatusAlone() {
    Conditions before = conditions("inprogress", NOW);
    Instant later = NOW.plusSeconds(60);

    assertThat(
            before
                .entry(new Conditions.Condition("Ready", "inprogress", "other", "m"), later)
                .path("lastTransitionTime")
                .asText())
        .isEqualTo(NOW.toString());
    assertThat(
            before
                .entry(new Conditions.Condition("Ready", "complete", "r", "m"), later)
                .path("lastTransitionTime")
                .asText())
        .isEqualTo(later.toString());
  }
}

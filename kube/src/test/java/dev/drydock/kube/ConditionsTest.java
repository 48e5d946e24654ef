package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Conditions.Condition;
import java.time.Instant;
import java.util.List;
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

  @Test
  void severalAreUpdatedAtOnceAndThoseOfOthersStay() {
    Conditions before = conditions("True", NOW);

    Conditions after =
        Conditions.of(
            Json.object()
                .set(
                    "conditions",
                    before.with(
                        List.of(
                            Condition.of("Complete", true, "Done", "m"),
                            Condition.of("Failed", false, "Done", "m")),
                        7,
                        NOW)));

    assertThat(after.all())
        .extracting(each -> each.path("type").asText())
        .containsExactly("Ready", "Complete", "Failed");
    assertThat(after.all().getFirst()).isEqualTo(before.all().getFirst());
    assertThat(after.says(Condition.of("Complete", true, "Done", "m"))).isTrue();
    assertThat(after.all().getLast().path("observedGeneration").asLong()).isEqualTo(7);
  }
}

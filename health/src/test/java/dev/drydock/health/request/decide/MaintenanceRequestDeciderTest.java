package dev.drydock.health.request.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.request.decide.MaintenanceRequestCheck.Candidate;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Adopt;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Claim;
import dev.drydock.health.request.decide.MaintenanceRequestStep.End;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Open;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Say;
import dev.drydock.health.request.decide.MaintenanceRequestStep.Wait;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MaintenanceRequestDeciderTest {
  private static final List<Boolean> BOTH = List.of(true, false);
  private static final List<String> REASONS =
      List.of("", "Initializing", "Emitted", "EmitFailed", "Blocked");
  private static final List<Optional<String>> PROBLEMS =
      List.of(Optional.empty(), Optional.of("too large"));
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** All states there are, against the rules in words. */
  @Test
  void everyStateHasItsStep() {
    for (boolean deleted : BOTH) {
      for (boolean finalizer : BOTH) {
        for (String reason : REASONS) {
          for (boolean nodeExists : BOTH) {
            for (String holder : List.of("", "mine", "other")) {
              for (Optional<String> problem : PROBLEMS) {
                check(
                    new MaintenanceRequestFacts(
                        "mine",
                        deleted,
                        finalizer,
                        reason,
                        reason.equals("Emitted"),
                        "n",
                        nodeExists,
                        problem,
                        holder));
              }
            }
          }
        }
      }
    }
  }

  private static void check(MaintenanceRequestFacts facts) {
    MaintenanceRequestStep step = MaintenanceRequestDecider.decide(facts);
    Class<?> wanted;
    if (facts.deleted()) {
      wanted = facts.finalizer() ? End.class : Wait.class;
    } else if (facts.problem().isPresent() && !facts.emitted()) {
      wanted = facts.reason().equals("EmitFailed") ? Wait.class : Say.class;
    } else if (!facts.finalizer()) {
      wanted = Adopt.class;
    } else if (facts.reason().isEmpty()) {
      wanted = Say.class;
    } else if (facts.emitted()) {
      wanted = Wait.class;
    } else if (!facts.nodeExists()) {
      wanted = facts.reason().equals("EmitFailed") ? Wait.class : Say.class;
    } else {
      wanted =
          switch (facts.holder()) {
            case "" -> Claim.class;
            case "mine" -> Open.class;
            default -> facts.reason().equals("Blocked") ? Wait.class : Say.class;
          };
    }
    assertThat(step).as("%s", facts).isInstanceOf(wanted);
    if (step instanceof End(boolean published)) {
      assertThat(published)
          .as("%s", facts)
          .isEqualTo(facts.emitted() || facts.holder().equals("mine"));
    }
  }

  @Test
  void whatIsWrongIsRefusedAllAtOnce() {
    assertThat(
            MaintenanceRequestCheck.refusals(
                new Candidate(true, "n", true, false, 1, Optional.of(NOW)), NOW))
        .isEmpty();
    assertThat(
            MaintenanceRequestCheck.refusals(
                new Candidate(true, "n", false, true, 0, Optional.of(NOW.minusSeconds(1))), NOW))
        .hasSize(4)
        .anyMatch(line -> line.contains("\"n\" does not exist"))
        .anyMatch(line -> line.contains("isHealthy"))
        .anyMatch(line -> line.contains("version"))
        .anyMatch(line -> line.contains("in the past"));
    assertThat(
            MaintenanceRequestCheck.refusals(
                new Candidate(true, "", false, false, 1, Optional.empty()), NOW))
        .containsExactly("spec.healthEvent.nodeName is required");
    assertThat(
            MaintenanceRequestCheck.refusals(
                new Candidate(false, "", false, false, 0, Optional.empty()), NOW))
        .containsExactly("spec.healthEvent is required");
  }
}

package dev.drydock.maintenance.decide;

import static dev.drydock.contracts.ngn2.MaintenanceNames.label;
import static dev.drydock.maintenance.decide.TestMaintenances.ID;
import static dev.drydock.maintenance.decide.TestMaintenances.NOW;
import static dev.drydock.maintenance.decide.TestMaintenances.annotated;
import static dev.drydock.maintenance.decide.TestMaintenances.deleted;
import static dev.drydock.maintenance.decide.TestMaintenances.due;
import static dev.drydock.maintenance.decide.TestMaintenances.in;
import static dev.drydock.maintenance.decide.TestMaintenances.input;
import static dev.drydock.maintenance.decide.TestMaintenances.node;
import static dev.drydock.maintenance.decide.TestMaintenances.terminated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Every transition of the controller that this API comes from, row by row. */
class OriginalTransitionsTest {
  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/transitions.csv", numLinesToSkip = 1)
  void isTheSame(
      String number,
      MaintenanceState state,
      boolean isDeleted,
      boolean terminal,
      boolean cordoned,
      boolean labelled,
      @Nullable String annotation,
      boolean late,
      String step,
      @Nullable String notice) {
    MaintenanceFacts facts =
        due(in(state), Optional.of(late ? NOW.minusSeconds(1) : NOW.plusSeconds(60)));
    if (annotation != null) {
      String[] parts = annotation.split("=", -1);
      facts = annotated(facts, Map.of("maintenance/" + parts[0], parts[1]));
    }
    facts = terminal ? terminated(facts) : isDeleted ? deleted(facts) : facts;
    MaintainedNode at = labelled ? node(cordoned, label(ID)) : node(cordoned);

    MaintenanceStep decided = MaintenanceDecider.decide(input(facts, Optional.of(at), List.of()));

    assertThat(words(decided)).as(number).isEqualTo(step);
    assertThat(notice(decided)).as(number).isEqualTo(Optional.ofNullable(notice));
  }

  private static String words(MaintenanceStep step) {
    return switch (step) {
      case MaintenanceStep.Wait _ -> "waits";
      case MaintenanceStep.Move move -> "to " + move.to();
      case MaintenanceStep.WriteConditions write ->
          write.conditions().stream().allMatch(condition -> condition.reason().equals("Annotation"))
              ? "condition"
              : "waits";
      case MaintenanceStep.Forget _ -> "removed";
      case MaintenanceStep.Terminate _ -> "terminal";
      case MaintenanceStep.Complete _ -> "completed";
      default -> step.toString();
    };
  }

  private static Optional<String> notice(MaintenanceStep step) {
    return switch (step) {
      case MaintenanceStep.Move move -> Optional.of(move.notice().word());
      case MaintenanceStep.Terminate terminate -> Optional.of(terminate.notice().word());
      case MaintenanceStep.Complete _ -> Optional.of(NoticeEvent.MAINTENANCE_COMPLETE.word());
      default -> Optional.empty();
    };
  }
}

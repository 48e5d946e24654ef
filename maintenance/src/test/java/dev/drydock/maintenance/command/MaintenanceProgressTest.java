package dev.drydock.maintenance.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.Json;
import dev.drydock.maintenance.command.MaintenanceProgress.Ending;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaintenanceProgressTest {
  private static final String FINALIZER = "\"finalizers\":[\"ngn2.nvidia.com/finalNotice\"],";

  private static NotifyMaintenanceObject seen(String state, String metadata, String status) {
    try {
      return NotifyMaintenanceObject.read(
          Json.read(
              """
              {"metadata":{%s "name":"fw-n","namespace":"ops","uid":"u",
              "creationTimestamp":"2026-01-01T00:00:00Z"},
              "spec":{"nodeObject":"n","maintenanceID":"fw","maintenanceType":"planned"},
              "status":{%s "maintenanceStatus":"%s"}}"""
                  .formatted(metadata, status, state)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String history(String... steps) {
    return "\"history\":[" + String.join(",", steps) + "],";
  }

  private static String step(String what, String message) {
    return "{\"at\":\"2026-01-01T00:00:00Z\",\"what\":\"%s\",\"message\":\"%s\"}"
        .formatted(what, message);
  }

  @Test
  void everyStepIsToldOnceAlsoWhenTheListWasCut() {
    String one = step("MaintenanceScheduled", "seen");
    String two = step("MaintenanceStarted", "cordoned");
    String three = step("ObjectsDrained", "empty");
    NotifyMaintenanceObject first = seen("MaintenanceStarted", FINALIZER, history(one, two));

    assertThat(MaintenanceProgress.news(null, first))
        .containsExactly(
            "node/n MaintenanceScheduled: seen", "node/n MaintenanceStarted: cordoned");
    assertThat(MaintenanceProgress.news(first, first)).isEmpty();
    assertThat(
            MaintenanceProgress.news(first, seen("ObjectsDrained", FINALIZER, history(two, three))))
        .containsExactly("node/n ObjectsDrained: empty");
  }

  @Test
  void anOperatorWithoutAStoryIsToldByItsStates() {
    NotifyMaintenanceObject before = seen("", "", "");

    assertThat(MaintenanceProgress.news(null, before)).isEmpty();
    assertThat(MaintenanceProgress.news(before, seen("MaintenanceScheduled", FINALIZER, "")))
        .containsExactly("node/n MaintenanceScheduled");
  }

  @Test
  void aWaitIsToldWhenItChanges() {
    NotifyMaintenanceObject drained =
        seen("ObjectsDrained", FINALIZER, "\"waitingFor\":\"the maintenance Job\",");

    assertThat(MaintenanceProgress.news(null, drained))
        .contains("node/n waits: the maintenance Job");
    assertThat(MaintenanceProgress.news(drained, drained)).isEmpty();
    assertThat(
            MaintenanceProgress.news(
                drained,
                seen(
                    "ObjectsDrained",
                    FINALIZER + "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",",
                    "")))
        .containsExactly("node/n waits: node n to be uncordoned; see: drydock holds n");
  }

  @Test
  void aWaitThatIsInTheHistoryAsWellIsToldOnce() {
    NotifyMaintenanceObject waiting =
        seen(
            "ObjectsDrained",
            FINALIZER,
            "\"waitingFor\":\"the maintenance Job\","
                + history(step("ObjectsDrained", "empty"), step("Waits", "the maintenance Job")));

    assertThat(MaintenanceProgress.news(null, waiting))
        .containsExactly("node/n ObjectsDrained: empty", "node/n waits: the maintenance Job");
  }

  @Test
  void oneThatWasDeletedBeforeItBeganDoesNotWaitForItsNode() {
    String deleted = "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",";

    assertThat(MaintenanceProgress.waitsFor(seen("MaintenanceScheduled", FINALIZER + deleted, "")))
        .isEqualTo("the operator to let it go; is 'drydock operator' running?");
    assertThat(
            MaintenanceProgress.waitsFor(
                seen("MaintenanceScheduled", "\"finalizers\":[\"x.y/z\"]," + deleted, "")))
        .isEqualTo("whoever set the finalizer x.y/z to remove it");
  }

  @ParameterizedTest
  @CsvSource({"MaintenanceScheduled", "MaintenanceStarted", "ObjectsDrained", "Validating"})
  void itGoesOnAsLongAsItIsThere(String state) {
    assertThat(MaintenanceProgress.ending(seen(state, FINALIZER, ""), false)).isEmpty();
  }

  @Test
  void whoIsGoneAfterBeingProvedFitIsBack() {
    String validated = "\"conditions\":[{\"type\":\"validationClient\",\"status\":\"validated\"}],";
    NotifyMaintenanceObject last = seen("Validating", FINALIZER, validated);

    assertThat(MaintenanceProgress.ending(last, false)).isEmpty();
    assertThat(MaintenanceProgress.ending(last, true))
        .contains(new Ending(true, "node/n back in production", List.of()));
    String completed = validated.replace("}]", "},{\"type\":\"completed\",\"status\":\"True\"}]");
    assertThat(MaintenanceProgress.ending(seen("Validating", "", completed), false))
        .as("uncordoned before it is deleted")
        .map(Ending::done)
        .contains(true);
  }

  @ParameterizedTest
  @CsvSource({
    "MaintenanceScheduled, before it began",
    "MaintenanceStarted, before the work began",
    "ObjectsDrained, before node n was validated",
    "Validating, before node n was validated"
  })
  void whoIsGoneBeforeThatFailed(String state, String words) {
    Ending ending = MaintenanceProgress.ending(seen(state, FINALIZER, ""), true).orElseThrow();

    assertThat(ending.done()).isFalse();
    assertThat(ending.line()).contains(words);
  }

  @Test
  void anUncordonInTheMiddleIsAFailureAndOneAtTheEndIsNot() {
    String completed =
        "\"conditions\":[{\"type\":\"completed\",\"status\":\"true\",\"reason\":\"%s\"}],";

    assertThat(
            MaintenanceProgress.ending(
                seen("ObjectsDrained", "", completed.formatted("UncordonedMidway")), false))
        .hasValueSatisfying(
            ending ->
                assertThat(ending.line())
                    .isEqualTo(
                        "node n was uncordoned in state ObjectsDrained, which ended its maintenance; see: drydock history n"));
    assertThat(
            MaintenanceProgress.ending(
                seen("Validating", "", completed.formatted("Uncordoned")), false))
        .map(Ending::done)
        .contains(true);
  }

  @Test
  void aNodeThatIsNotFitSaysWhyAndWhatToDo() {
    NotifyMaintenanceObject last =
        seen(
            "MaintenanceIncomplete",
            FINALIZER,
            history(step("failed", "Job v: exit code 3"), step("MaintenanceIncomplete", "not fit"))
                + "\"lastLogLines\":[\"XID 79\"],");

    assertThat(MaintenanceProgress.ending(last, false))
        .contains(
            new Ending(
                false,
                "node n is not fit for production: Job v: exit code 3; next: repair it, then run:"
                    + " kubectl delete notifymaintenance -n ops fw-n --wait=false && kubectl uncordon n",
                List.of("XID 79")));
  }
}

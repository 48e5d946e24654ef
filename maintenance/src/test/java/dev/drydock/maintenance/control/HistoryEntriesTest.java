package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt.Stage;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryEntriesTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static JsonNode json(String text) {
    try {
      return Json.read(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String plan(String status) {
    String request =
        "{'metadata':{'creationTimestamp':'2026-01-01T12:00:00Z'},'status':{%s}}".formatted(status);
    return HistoryEntries.plan("n", json(request)).map(HistoryEntry::message).orElse("none");
  }

  private static JobObject job(Purpose purpose, int number, Stage stage, String message) {
    return new JobObject(
        "ops",
        "fw-work-" + number,
        "uid",
        new JobObject.Owner("owner", "fw"),
        "n",
        NOON,
        purpose,
        new Attempt(number, "fw-work-" + number, stage, NOON.plusSeconds(72), message));
  }

  @Test
  void aPlanSaysWhatMustGoHowLongItTakesAndWhatIsInTheWay() {
    assertThat(plan("'podsGone':1,'podsLeft':2,'eta':'30s to 2m','blockers':[]"))
        .isEqualTo("3 pods must leave node n, ETA 30s to 2m");
    assertThat(
            plan("'podsLeft':1,'eta':'unknown','blockers':[{'message':'budget a/b allows none'}]"))
        .isEqualTo("1 pod must leave node n, ETA unknown; blocked by: budget a/b allows none");
    assertThat(
            plan(
                "'podsLeft':5,'blockers':[{'message':'a'},{'message':'b'},{'message':'c'},{'message':'d'},{'message':'e'}]"))
        .isEqualTo("5 pods must leave node n; blocked by: a; b; c; and 2 more");
  }

  @Test
  void aDrainThatWasFasterThanItsPlanSaysWhatHadToGo() {
    assertThat(plan("'podsGone':2,'podsLeft':0")).isEqualTo("2 pods had to leave node n");
    assertThat(plan("'podsGone':0,'podsLeft':0")).isEqualTo("no pod had to leave node n");
  }

  @Test
  void thereIsNoPlanUntilSomebodyMadeOne() {
    assertThat(plan("'podsGone':0")).isEqualTo("none");
    assertThat(HistoryEntries.plan("n", json("{}"))).isEmpty();
  }

  @Test
  void jobsAreToldByNameWithTheirEnd() {
    assertThat(HistoryEntries.of(job(Purpose.WORK, 1, Stage.RUNNING, "")))
        .containsExactly(
            new HistoryEntry(MaintenanceEvent.JobStarted, NOON, "maintenance Job ops/fw-work-1"));
    assertThat(HistoryEntries.of(job(Purpose.WORK, 1, Stage.SUCCEEDED, "")).getLast())
        .isEqualTo(
            new HistoryEntry(
                MaintenanceEvent.JobSucceeded,
                NOON.plusSeconds(72),
                "maintenance Job ops/fw-work-1, after 1m12s"));
    assertThat(HistoryEntries.of(job(Purpose.PROOF, 2, Stage.FAILED, "exit code 3")))
        .containsExactly(
            new HistoryEntry(
                MaintenanceEvent.JobStarted, NOON, "validation Job ops/fw-work-2, attempt 2"),
            new HistoryEntry(
                MaintenanceEvent.JobFailed,
                NOON.plusSeconds(72),
                "validation Job ops/fw-work-2, attempt 2: exit code 3"));
  }

  @Test
  void eachIsToldOnceAndThePlanIsNotChangedAfterwards() {
    List<HistoryEntry> entries =
        List.of(
            new HistoryEntry(
                MaintenanceEvent.DrainPlanned, NOON, "2 pods must leave node n, ETA 10s"),
            new HistoryEntry(MaintenanceEvent.JobStarted, NOON, "maintenance Job ops/a"),
            new HistoryEntry(MaintenanceEvent.JobStarted, NOON, "validation Job ops/b"));
    JsonNode history =
        json(
            """
            [{'at':'2026-01-01T12:00:00Z','what':'DrainPlanned','message':'3 pods'},
            {'at':'2026-01-01T12:00:00Z','what':'JobStarted','message':'maintenance Job ops/a'}]""");

    assertThat(HistoryEntries.untold(entries, history, false)).containsExactly(entries.getLast());
    assertThat(HistoryEntries.untold(entries, json("[]"), false)).isEqualTo(entries);
  }

  @Test
  void whatWasCutFromALongStoryIsNotToldAgain() {
    HistoryEntry old = new HistoryEntry(MaintenanceEvent.JobStarted, NOON, "maintenance Job ops/a");
    HistoryEntry recent =
        new HistoryEntry(MaintenanceEvent.JobStarted, NOON.plusSeconds(9), "validation Job ops/b");
    JsonNode history = json("[{'at':'2026-01-01T12:00:05Z','what':'Waits','message':''}]");

    assertThat(HistoryEntries.untold(List.of(old, recent), history, true)).containsExactly(recent);
  }

  @Test
  void whatAWriteAddedIsFound() {
    String first = "{'at':'2026-01-01T12:00:00Z','what':'JobStarted','message':'a'}";
    String second = "{'at':'2026-01-01T12:01:12Z','what':'JobSucceeded','message':'a, after 72s'}";
    String move = "{'at':'2026-01-01T12:01:12Z','what':'Validating','message':'done'}";

    assertThat(
            HistoryEntries.between(
                json("[%s]".formatted(first)), json("[%s,%s,%s]".formatted(first, second, move))))
        .containsExactly(
            new HistoryEntry(MaintenanceEvent.JobSucceeded, NOON.plusSeconds(72), "a, after 72s"));
  }
}

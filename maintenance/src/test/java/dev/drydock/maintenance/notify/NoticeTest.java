package dev.drydock.maintenance.notify;

import static dev.drydock.maintenance.notify.TestNotices.AT;
import static dev.drydock.maintenance.notify.TestNotices.CREATED;
import static dev.drydock.maintenance.notify.TestNotices.notice;
import static dev.drydock.maintenance.notify.TestNotices.subject;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Notice.Extras;
import dev.drydock.maintenance.notify.Notice.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NoticeTest {
  @Test
  void thePayloadHasTheKeysThatClientsRead() {
    assertThat(notice(NoticeEvent.SLA_STARTED).payload())
        .hasToString(
            "{\"maintenanceID\":\"fw-17\",\"objects\":[\"node-1\"],\"event\":\"SLAStarted\","
                + "\"Message\":\"Maintenance fw-17 started on [node-1]\","
                + "\"namespace\":\"ops\",\"maintenanceObjectName\":\"fw-17-node-1\"}");
  }

  @Test
  void whatAMaintenanceNeedNotHaveComesLast() {
    Extras extras = new Extras("team-a", "meta", "{\"a\":1}", TestNotices.TOPIC);
    Notice notice =
        Notice.of(NoticeEvent.VALIDATING, AT, subject("node-1", "fw-17-node-1", extras));

    assertThat(notice.payload().toString())
        .endsWith(
            "\"maintenanceObjectName\":\"fw-17-node-1\",\"metadataConfigmap\":\"meta\","
                + "\"validationMetadataOverrides\":\"{\\\"a\\\":1}\",\"owner\":\"team-a\"}");
  }

  @Test
  void onlyACompletionAfterACancellationSaysSo() {
    Notice complete = notice(NoticeEvent.MAINTENANCE_COMPLETE);

    assertThat(complete.payload().has("cancelled")).isFalse();
    assertThat(
            complete.completedBy(CompletionKind.CANCELLED).payload().path("cancelled").asBoolean())
        .isTrue();
    assertThat(complete.completedBy(CompletionKind.CANCELLED).deduplicationId())
        .isEqualTo(complete.deduplicationId());
  }

  @Test
  void theIdsAreThoseOfTheOriginal() {
    // printf %s 'ops/fw-17-node-1/node-1/SLAStarted/2026-01-02 03:04:05 +0000 UTC' | md5sum
    Notice notice = notice(NoticeEvent.SLA_STARTED);

    assertThat(notice.deduplicationId()).isEqualTo("97b80a49459496f81fe8433824648f9b");
    // printf %s node-1 | md5sum
    assertThat(notice.groupId()).isEqualTo("d50164b9587cab73e417e5ce616bea4e");
  }

  @ParameterizedTest
  @CsvSource({
    "SCHEDULED, Scheduled",
    "SLA_STARTED, SLAStarted",
    "SLA_EXPIRED, SLAExpired",
    "OBJECTS_DRAINED, ObjectsDrained",
    "VALIDATING, Validating",
    "MAINTENANCE_INCOMPLETE, MaintenanceIncomplete",
    "MAINTENANCE_COMPLETE, MaintenanceComplete",
    "MAINTENANCE_ENDED, MaintenanceEnded",
    "MAINTENANCE_CANCELLED, MaintenanceCancelled"
  })
  void everyEventHasItsWord(NoticeEvent event, String word) {
    assertThat(notice(event).payload().path("event").asText()).isEqualTo(word);
    assertThat(Notice.event(word)).contains(event);
  }

  @ParameterizedTest
  @EnumSource(NoticeEvent.class)
  void theTextNamesTheMaintenanceAndTheNode(NoticeEvent event) {
    assertThat(notice(event).text()).matches("Maintenance fw-17 [A-Za-z ]+ on \\[node-1]");
  }

  @ParameterizedTest
  @EnumSource(NoticeEvent.class)
  void anEntryIsReadAsItWasWritten(NoticeEvent event) {
    Extras extras = new Extras("tëam \"a\"", "meta", "x\ny", TestNotices.TOPIC);
    Notice notice =
        Notice.of(event, AT, subject("node-1", "m", extras)).completedBy(CompletionKind.CANCELLED);
    QueuedNotice queued = new QueuedNotice("00000042", AT, Set.of("b", "a"), notice);

    assertThat(QueuedNotice.read(queued.key(), queued.write())).contains(queued);
  }

  @ParameterizedTest
  @CsvSource({
    "00000001, not json",
    "00000001, '{}'",
    "00000001, '{\"event\": \"Unheard\"}'",
    "00000001, '{\"event\": \"SLAStarted\", \"stored\": \"yesterday\"}'",
    "other-key, '{}'"
  })
  void whatSomebodyElseWroteIsNoEntry(String key, String text) {
    assertThat(QueuedNotice.read(key, text)).isEmpty();
  }

  @Test
  void isMadeOfAMaintenance() {
    NotifyMaintenanceSpec spec =
        new NotifyMaintenanceSpec(
            "node-1",
            "fw-17",
            "unplanned",
            new NotifyMaintenanceSpec.Channels(TestNotices.TOPIC),
            "meta",
            "team-a",
            null);

    Subject subject = Subject.of(facts(spec, Map.of(MaintenanceNames.OVERRIDES, "{}")), "pager");

    assertThat(subject)
        .isEqualTo(
            new Subject(
                "ops",
                "fw-17-node-1",
                CREATED,
                "node-1",
                "fw-17",
                "unplanned",
                "pager",
                new Extras("team-a", "meta", "{}", TestNotices.TOPIC)));
  }

  @Test
  void aMaintenanceNeedNotHaveMoreThanANodeAndAnId() {
    NotifyMaintenanceSpec spec =
        new NotifyMaintenanceSpec("node-1", "fw-17", "planned", null, null, null, null);

    Subject subject = Subject.of(facts(spec, Map.of()), "");

    assertThat(subject.extras()).isEqualTo(Extras.NONE);
    assertThat(subject.client()).isEqualTo("Slack_ST2");
  }

  private static MaintenanceFacts facts(
      NotifyMaintenanceSpec spec, Map<String, String> annotations) {
    return new MaintenanceFacts(
        new MaintenanceFacts.Identity("ops", "fw-17-node-1", "uid", CREATED),
        spec,
        false,
        true,
        true,
        annotations,
        MaintenanceState.STARTED,
        Optional.empty(),
        Map.of());
  }

  @Test
  void controlCharactersOfAnObjectAreNotSent() {
    Notice.Extras extras = new Notice.Extras("me\u001b[2J\u202e", "", "{\n}", "");
    Notice notice =
        Notice.of(
            NoticeEvent.SLA_STARTED,
            TestNotices.AT,
            TestNotices.subject("node-1\r\u001b]0;x\u0007", "one", extras));

    assertThat(notice.text()).doesNotContain("\u001b", "\r", "\u0007").contains("\\u001b");
    assertThat(notice.payload().path("owner").asText()).isEqualTo("me\\u001b[2J\\u202e");
    assertThat(notice.payload().path("validationMetadataOverrides").asText()).isEqualTo("{\n}");
    assertThat(notice.payload().path("objects").path(0).asText()).doesNotContain("\u001b");
  }
}

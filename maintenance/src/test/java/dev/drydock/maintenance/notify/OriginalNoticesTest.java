package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Notice.Extras;
import dev.drydock.maintenance.notify.Notice.Subject;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Notices as the controller that this API comes from sends them, byte for byte. */
class OriginalNoticesTest {
  private static final String TOPIC = TestNotices.TOPIC;

  private static NoticeEvent event(String word) {
    return Notice.event(word).orElseThrow();
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/notices.csv", numLinesToSkip = 1)
  void everyEventHasItsTextAndItsReceivers(String word, String phrase, boolean toTopics) {
    Notice notice =
        Notice.of(
            event(word),
            TestNotices.AT,
            TestNotices.subject("node-1", "fw-17-node-1", new Extras("", "", "", TOPIC)));
    ChannelSettings usual = ChannelSettings.of(ChannelSettings.Type.SNS);

    assertThat(notice.text()).isEqualTo("Maintenance fw-17 " + phrase + " on [node-1]");
    assertThat(topics(usual).wants(notice)).isEqualTo(toTopics);
    assertThat(topics(usual.only(Set.of(event(word)))).wants(notice))
        .as("named in the settings")
        .isTrue();
  }

  private static Channel topics(ChannelSettings settings) {
    return new SnsChannel(settings, Clock.systemUTC());
  }

  @Test
  void whatIsOursAloneGoesToNoTopic() {
    assertThat(Arrays.stream(NoticeEvent.values()).filter(NoticeEvent::isForTopics)).hasSize(7);
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(
      resources = "/original/bodies.csv",
      numLinesToSkip = 1,
      maxCharsPerColumn = 9999,
      quoteCharacter = '\'')
  void bodiesAreTheSameByteForByte(
      String what, @Nullable String configMap, @Nullable String owner, String body) {
    Extras extras =
        new Extras(owner == null ? "" : owner, configMap == null ? "" : configMap, "{}", TOPIC);
    Subject subject =
        new Subject(
            "testns", "test", TestNotices.CREATED, "test_node", "test_id", "planned", "", extras);

    assertThat(Notice.of(NoticeEvent.OBJECTS_DRAINED, TestNotices.AT, subject).topicBody())
        .as(what)
        .isEqualTo(body);
  }

  @Test
  void separatorsOfLinesAreEscapedToo() {
    Extras extras = new Extras("", "a\u2028b\u2029c", "", TOPIC);
    Notice notice =
        Notice.of(NoticeEvent.VALIDATING, TestNotices.AT, TestNotices.subject("n", "m", extras));

    // shown as their codes, as all that could forge lines where texts are printed
    assertThat(notice.topicBody()).contains("a\\\\u2028b\\\\u2029c");
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/original/deduplication.csv", numLinesToSkip = 1)
  void idsAreTheSame(
      String namespace, String name, String node, String event, String created, String id) {
    Instant time = OffsetDateTime.parse(created).toInstant();
    Subject subject = new Subject(namespace, name, time, node, "fw-17", "planned", "", Extras.NONE);

    Notice notice = Notice.of(event(event), TestNotices.AT, subject);

    assertThat(notice.deduplicationId()).isEqualTo(id);
    assertThat(notice.groupId()).isEqualTo("d50164b9587cab73e417e5ce616bea4e");
  }

  @Test
  void aCompletionThatWasNotOrdinarySaysSoAfterTheKnownKeys() {
    Notice complete =
        Notice.of(
            NoticeEvent.MAINTENANCE_COMPLETE,
            TestNotices.AT,
            TestNotices.subject("node-1", "m", new Extras("me", "", "", TOPIC)));

    assertThat(complete.topicBody()).endsWith("\"owner\":\"me\"}");
    assertThat(complete.completedBy(CompletionKind.CANCELLED).topicBody())
        .endsWith("\"owner\":\"me\",\"cancelled\":true}");
    assertThat(
            complete
                .completedBy(dev.drydock.maintenance.decide.CompletionKind.ENDED_EARLY)
                .topicBody())
        .endsWith("\"owner\":\"me\",\"endedEarly\":true}");
  }
}

package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Notice.Extras;
import dev.drydock.maintenance.notify.Notice.Subject;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Notices to test with. */
final class TestNotices {
  static final Instant CREATED = Instant.parse("2026-01-02T03:04:05Z");
  static final Instant AT = Instant.parse("2026-01-02T10:00:00.250Z");
  static final String TOPIC = "arn:aws:sns:eu-central-1:123456789012:maintenance.fifo";

  private TestNotices() {}

  static Subject subject(String node, String name, Extras extras) {
    return new Subject("ops", name, CREATED, node, "fw-17", "planned", "", extras);
  }

  static Notice notice(NoticeEvent event) {
    return Notice.of(event, AT, subject("node-1", "fw-17-node-1", Extras.NONE));
  }

  static Notice toTopic(String arn) {
    Extras extras = new Extras("team-a", "", "", arn);
    return Notice.of(NoticeEvent.SLA_STARTED, AT, subject("node-1", "fw-17-node-1", extras));
  }

  /** The nth of a node. */
  static Notice numbered(String node, int number) {
    return Notice.of(NoticeEvent.SLA_STARTED, AT, subject(node, "m-" + number, Extras.NONE));
  }

  static List<Notice> numbered(String node, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(number -> numbered(node, number)).toList();
  }

  static int number(Notice notice) {
    return Integer.parseInt(notice.subject().name().substring("m-".length()));
  }
}

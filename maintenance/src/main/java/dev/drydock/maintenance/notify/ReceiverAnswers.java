package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** What a receiver's HTTP answer means for a notice. */
final class ReceiverAnswers {
  private static final Duration LONGEST = Duration.ofHours(1);

  private ReceiverAnswers() {}

  static Outcome outcome(int code, String from, Optional<Duration> retryAfter) {
    String answer = "%s answers HTTP %d".formatted(from, code);
    return switch (code) {
      case 408, 409, 425, 429 -> new Outcome.Later(answer, retryAfter);
      default -> {
        if (code / 100 == 2) {
          yield new Outcome.Delivered();
        }
        // A redirection is not followed: what is signed, or secret, is for one receiver.
        yield code >= 500 || code < 300
            ? new Outcome.Later(answer, retryAfter)
            : new Outcome.Refused(answer);
      }
    };
  }

  /** In seconds or as a date, at most an hour. */
  static Optional<Duration> retryAfter(Optional<String> header, Instant now) {
    return header
        .flatMap(value -> parse(value.strip(), now))
        .map(time -> time.compareTo(LONGEST) > 0 ? LONGEST : time)
        .filter(Duration::isPositive);
  }

  private static Optional<Duration> parse(String value, Instant now) {
    if (value.matches("\\d{1,9}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
    }
    try {
      Instant until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
      return Optional.of(Duration.between(now, until));
    } catch (DateTimeParseException neither) {
      return Optional.empty(); // our own backoff will do
    }
  }
}

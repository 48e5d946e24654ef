package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The API server's answer to an eviction or deletion, parsed but not interpreted.
 *
 * @param code the HTTP code
 * @param status {@code status} of a {@code Status} body; empty if the body was something else
 * @param kind {@code details.kind}: the kind that the answer is about
 * @param causes types of {@code details.causes}, with their messages
 * @param retryAfter the header, or {@code details.retryAfterSeconds}
 */
public record ApiAnswer(
    int code,
    String status,
    String kind,
    String message,
    List<Cause> causes,
    Optional<Duration> retryAfter) {

  /** One of {@code details.causes}. */
  public record Cause(String type, String message) {}

  public ApiAnswer {
    causes = List.copyOf(causes);
  }

  public static ApiAnswer success(int code) {
    return new ApiAnswer(code, "Success", "", "", List.of(), Optional.empty());
  }

  public static ApiAnswer failure(int code, String message) {
    return new ApiAnswer(code, "Failure", "", message, List.of(), Optional.empty());
  }

  public ApiAnswer about(String what) {
    return new ApiAnswer(code, status, what, message, causes, retryAfter);
  }

  public ApiAnswer because(String type, String text) {
    return new ApiAnswer(code, status, kind, message, List.of(new Cause(type, text)), retryAfter);
  }

  public ApiAnswer retryAfter(Duration time) {
    return new ApiAnswer(code, status, kind, message, causes, Optional.of(time));
  }

  Optional<Cause> cause(String type) {
    return causes.stream().filter(cause -> cause.type().equals(type)).findFirst();
  }
}

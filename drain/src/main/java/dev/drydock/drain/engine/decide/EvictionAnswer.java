package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Interprets an answer of the API server. No refusal is final: requests are retried and the refusal
 * is shown meanwhile.
 */
public sealed interface EvictionAnswer {
  /**
   * The time after which kubectl tries again; a budget's change or a Retry-After header takes
   * precedence.
   */
  Duration RETRY = Duration.ofSeconds(5);

  /** The pod is being deleted. */
  record Accepted() implements EvictionAnswer {}

  /** No pod of this name and UID exists any more. */
  record Gone() implements EvictionAnswer {}

  /** Any refusal or failure. */
  sealed interface Refusal extends EvictionAnswer {
    /** The server's message. */
    String message();

    /** How long to wait if nothing changes before. */
    default Duration retryIn() {
      return RETRY;
    }
  }

  /** The budget allows no disruption now. */
  record RefusedByBudget(String message, Optional<Duration> retryAfter) implements Refusal {
    @Override
    public Duration retryIn() {
      return retryAfter.filter(time -> time.compareTo(RETRY) > 0).orElse(RETRY);
    }
  }

  /** Persists until someone changes a budget or the pod's labels. */
  record SeveralBudgets(String message) implements Refusal {}

  /** The server itself throttles; this applies to all requests. */
  record Throttled(String message, Duration retryIn) implements Refusal {}

  /** The server itself is overloaded or out of reach; it is unknown whether the pod goes. */
  record ServerInTrouble(String message) implements Refusal {}

  /** The namespace is being deleted, and the pod with it. */
  record NamespaceTerminating(String message) implements Refusal {}

  /** A webhook or missing permission forbids it; a webhook may mean "in progress". */
  record Denied(String message) implements Refusal {}

  /** A fault of the request, or of one object on the server. */
  record Failed(String message) implements Refusal {}

  /** Interprets the answer of the eviction subresource. */
  static EvictionAnswer toEviction(ApiAnswer answer) {
    // Some failures arrive in a body with a success code, so only the body counts.
    return answer.status().equals("Success") ? new Accepted() : refusal(answer);
  }

  /** Interprets the answer to a DELETE, which is the pod itself while it terminates. */
  static EvictionAnswer toDeletion(ApiAnswer answer) {
    boolean accepted = answer.code() / 100 == 2 && !answer.status().equals("Failure");
    return accepted ? new Accepted() : refusal(answer);
  }

  private static EvictionAnswer refusal(ApiAnswer answer) {
    String message = text(answer);
    return switch (answer.code()) {
      case 404 -> new Gone();
      case 409 -> otherUid(answer) ? new Gone() : new Failed(message);
      case 403 -> forbidden(answer, message);
      case 429 -> tooMany(answer, message);
      case 500 ->
          message.contains("more than one PodDisruptionBudget")
              ? new SeveralBudgets(message)
              : new Failed(message);
      case 502, 503, 504 ->
          isAboutOneObject(answer) ? new Failed(message) : new ServerInTrouble(message);
      default -> new Failed(message);
    };
  }

  /**
   * A budget and an admission webhook may refuse with any code and any time to wait. That tells
   * nothing about the server, so it must not slow down anybody else.
   */
  private static boolean isAboutOneObject(ApiAnswer answer) {
    return answer.cause("DisruptionBudget").isPresent()
        || answer.message().contains("PodDisruptionBudget")
        || answer.message().contains("admission webhook")
        || answer.message().contains("failed calling webhook");
  }

  private static EvictionAnswer forbidden(ApiAnswer answer, String message) {
    if (answer.cause("NamespaceTerminating").isPresent()) {
      return new NamespaceTerminating(message);
    }
    // Invalid numbers of a budget are answered with 403 about the budget itself.
    boolean budget =
        answer.cause("DisruptionBudget").isPresent()
            || answer.kind().toLowerCase(Locale.ROOT).startsWith("poddisruptionbudget");
    return budget ? new RefusedByBudget(message, answer.retryAfter()) : new Denied(message);
  }

  private static EvictionAnswer tooMany(ApiAnswer answer, String message) {
    if (answer.cause("DisruptionBudget").isPresent()) {
      return new RefusedByBudget(message, answer.retryAfter());
    }
    Optional<Duration> wait = answer.retryAfter().filter(Duration::isPositive);
    return wait.isPresent() && !isAboutOneObject(answer)
        ? new Throttled(message, wait.get())
        : new Denied(message);
  }

  /** A pod with another UID has this name: ours is gone. Other conflicts are temporary. */
  private static boolean otherUid(ApiAnswer answer) {
    return answer.message().contains("UID in precondition")
        || answer.message().contains("UID in the precondition");
  }

  private static String text(ApiAnswer answer) {
    String message =
        answer.cause("DisruptionBudget").map(ApiAnswer.Cause::message).orElse(answer.message());
    String line = message.isBlank() ? "no reason given" : message.strip().replace('\n', ' ');
    return "HTTP " + answer.code() + ": " + line;
  }
}

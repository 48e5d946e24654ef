package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What an answer of the API server means for the drain. No refusal is final: what a person or
 * another controller can change is tried again, and shown meanwhile.
 */
public sealed interface EvictionAnswer {
  /** As long as kubectl waits; a budget's change or a Retry-After header may say otherwise. */
  Duration RETRY = Duration.ofSeconds(5);

  /** The pod is being deleted. */
  record Accepted() implements EvictionAnswer {}

  /** No pod of that name and UID exists any more. */
  record Gone() implements EvictionAnswer {}

  /** Anything but yes. */
  sealed interface Refusal extends EvictionAnswer {
    /** In the server's words. */
    String message();

    /** How long to wait if nothing changes before. */
    default Duration retryIn() {
      return RETRY;
    }
  }

  /** The budget grants nothing now. */
  record RefusedByBudget(String message, Optional<Duration> retryAfter) implements Refusal {
    @Override
    public Duration retryIn() {
      return retryAfter.filter(time -> time.compareTo(RETRY) > 0).orElse(RETRY);
    }
  }

  /** Stays so until someone changes a budget or the pod's labels. */
  record SeveralBudgets(String message) implements Refusal {}

  /** The server is busy; this is about all requests, not about this pod. */
  record Throttled(String message, Duration retryIn) implements Refusal {}

  /** The whole namespace goes away, and the pod with it. */
  record NamespaceTerminating(String message) implements Refusal {}

  /** A webhook or a permission stands against it; a webhook may mean "in progress". */
  record Denied(String message) implements Refusal {}

  /** A fault of the server, the network or the request. */
  record Failed(String message) implements Refusal {}

  /** Reads the answer to a request to the eviction subresource. */
  static EvictionAnswer toEviction(ApiAnswer answer) {
    // Some failures arrive in a body under a harmless code, so only the body's word counts.
    return answer.status().equals("Success") ? new Accepted() : refusal(answer);
  }

  /** Reads the answer to a plain DELETE, which is the pod itself while it still terminates. */
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
      default -> new Failed(message);
    };
  }

  private static EvictionAnswer forbidden(ApiAnswer answer, String message) {
    if (answer.cause("NamespaceTerminating").isPresent()) {
      return new NamespaceTerminating(message);
    }
    // Numbers of a budget that make no sense are answered with 403 about the budget itself.
    boolean budget =
        answer.cause("DisruptionBudget").isPresent()
            || answer.kind().toLowerCase(Locale.ROOT).startsWith("poddisruptionbudget");
    return budget ? new RefusedByBudget(message, answer.retryAfter()) : new Denied(message);
  }

  private static EvictionAnswer tooMany(ApiAnswer answer, String message) {
    if (answer.cause("DisruptionBudget").isPresent()) {
      return new RefusedByBudget(message, answer.retryAfter());
    }
    boolean webhook = message.contains("admission webhook");
    Optional<Duration> wait = answer.retryAfter().filter(Duration::isPositive);
    return wait.isPresent() && !webhook ? new Throttled(message, wait.get()) : new Denied(message);
  }

  /** A pod of another UID under this name: ours is gone. Other conflicts pass. */
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

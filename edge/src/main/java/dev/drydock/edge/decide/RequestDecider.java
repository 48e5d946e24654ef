package dev.drydock.edge.decide;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a request that no agent has taken yet still counts. A command that was killed
 * cannot withdraw its request, so the request counts only while the command waits for an answer.
 * Requests that were taken are not asked about: they survive the command, the agent and a boot.
 * Pure.
 */
public final class RequestDecider {
  private RequestDecider() {}

  /** Whether the process that asked still runs. */
  public enum Presence {
    RUNS,
    ENDED,
    /** It runs, or ran, where this process cannot see it, such as in another container. */
    UNSEEN
  }

  /**
   * What is known about a request.
   *
   * @param requestBoot the boot in which it was made
   * @param asker who made it, if it says so
   */
  public record Request(String requestBoot, Optional<RequestAsker> asker) {}

  /**
   * What is known about the machine.
   *
   * @param bootId of this boot
   * @param uptime since this boot
   * @param presence of the process that asked
   */
  public record Now(String bootId, Duration uptime, Presence presence) {}

  /** Why the request is refused; empty if it counts. */
  public static Optional<String> refusal(Request request, Now now) {
    if (!request.requestBoot().equals(now.bootId())) {
      return Optional.of("the machine has been restarted since");
    }
    if (request.asker().isEmpty()) {
      return Optional.of("it does not say which process asked");
    }
    RequestAsker asker = request.asker().get();
    return switch (now.presence()) {
      case RUNS -> Optional.empty();
      case ENDED -> Optional.of("process %d ended before an agent took it".formatted(asker.pid()));
      case UNSEEN -> unseen(asker, now.uptime().minus(asker.uptime()));
    };
  }

  /** Then it is as old as it says, and counts for as long as its process waits. */
  private static Optional<String> unseen(RequestAsker asker, Duration age) {
    boolean recent = !age.isNegative() && age.compareTo(asker.waits()) <= 0;
    return recent
        ? Optional.empty()
        : Optional.of(
            "it is %d s old, and process %d waited for %d s"
                .formatted(age.toSeconds(), asker.pid(), asker.waits().toSeconds()));
  }
}

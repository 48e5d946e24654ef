package dev.drydock.drain.request.decide;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.drain.engine.decide.DrainPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who serves a DrainRequest, and what comes next. A request is served if it names the built-in
 * drainer. One that names no drainer is served only where {@link ServedRequests#UNCLAIMED} says so,
 * unless another drainer has put its finalizer on it; if that happens later, Drydock steps back. A
 * request that is left to others and that nobody takes notice of says so.
 */
public final class DrainRequestDecider {
  /** How long others may take to notice a request. */
  static final Duration SERVED_WITHIN = Duration.ofSeconds(30);

  private static final DrainRequestStep LEAVE = new DrainRequestStep.Leave(Instant.MAX);

  private DrainRequestDecider() {}

  /** The drain that this process runs for a request: of which generation of the spec, and where. */
  public record Running(long generation, String node) {}

  public static DrainRequestStep decide(
      DrainRequestFacts request, ServedRequests serves, Optional<Running> running, Instant now) {
    boolean claimed = request.isClaimedByUs();
    boolean ours = isOurs(request, serves);
    if (claimed && (request.deleting() || !ours)) {
      return new DrainRequestStep.Release(withoutOurs(request));
    }
    if (request.deleting()) {
      return LEAVE;
    }
    if (!ours) {
      return leftToOthers(request, now);
    }
    if (request.notice().waiting().isPresent()) {
      return new DrainRequestStep.SayServed();
    }
    if (isSettled(request)) {
      return LEAVE;
    }
    Optional<Running> earlier =
        running.filter(
            drain -> drain.generation() != request.generation() || request.problem().isPresent());
    if (earlier.isPresent()) {
      return new DrainRequestStep.EndDrain(!earlier.get().node().equals(request.spec().nodeName()));
    }
    if (request.problem().isPresent()) {
      return new DrainRequestStep.Reject(request.problem().get());
    }
    if (request.spec().nodeName().isBlank()) {
      return new DrainRequestStep.Reject("spec.nodeName is empty");
    }
    DrainPolicy policy;
    try {
      policy = DrainRequestPolicy.of(request.spec());
    } catch (IllegalArgumentException wrong) {
      return new DrainRequestStep.Reject("spec.policy: " + wrong.getMessage());
    }
    if (!claimed) {
      return new DrainRequestStep.Claim(
          Stream.concat(request.finalizers().stream(), Stream.of(DrainRequest.FINALIZER)).toList());
    }
    return new DrainRequestStep.Drain(policy);
  }

  private static boolean isOurs(DrainRequestFacts request, ServedRequests serves) {
    Set<String> drainers = request.drainers();
    if (drainers.isEmpty()) {
      return serves == ServedRequests.UNCLAIMED
          && request.finalizers().stream().noneMatch(DrainRequestDecider::isClaimOfAnother);
    }
    return drainers.equals(Set.of(DrainRequest.BUILTIN_DRAINER));
  }

  private static DrainRequestStep leftToOthers(DrainRequestFacts request, Instant now) {
    Optional<String> said = request.notice().waiting();
    if (request.notice().taken()) {
      return said.isPresent() ? new DrainRequestStep.SayServed() : LEAVE;
    }
    Instant due = request.notice().created().plus(SERVED_WITHIN);
    if (now.isBefore(due)) {
      return new DrainRequestStep.Leave(due);
    }
    String why = waiting(request.drainers());
    return said.equals(Optional.of(why)) ? LEAVE : new DrainRequestStep.SayWaiting(why);
  }

  private static String waiting(Set<String> drainers) {
    return switch (drainers.size()) {
      case 0 ->
          "it names no drainer; name one in spec.drainer or in the annotation %s, such as %s"
              .formatted(DrainRequest.DRAINER_ANNOTATION, DrainRequest.BUILTIN_DRAINER);
      case 1 ->
          "drainer %s has not taken notice of it; start that drainer, or name another"
              .formatted(drainers.iterator().next());
      default ->
          "spec.drainer and the annotation %s name different drainers: %s; name the same in both"
              .formatted(DrainRequest.DRAINER_ANNOTATION, String.join(" and ", drainers));
    };
  }

  /** Drainers of the original system mark requests this way; other finalizers mean nothing. */
  private static boolean isClaimOfAnother(String finalizer) {
    return finalizer.startsWith(DrainRequest.GROUP + "/");
  }

  /**
   * An end applies only to the spec it was reached with: a request that was changed to another node
   * has not drained that one. Whoever completed it without naming a generation meant any.
   */
  private static boolean isSettled(DrainRequestFacts request) {
    return request
        .complete()
        .filter(
            condition ->
                condition.generation() == request.generation()
                    ? condition.status().equals("True")
                        || DrainRequestReport.Reason.isFinal(condition.reason())
                    : condition.status().equals("True") && condition.generation() == 0)
        .isPresent();
  }

  private static List<String> withoutOurs(DrainRequestFacts request) {
    return request.finalizers().stream()
        .filter(finalizer -> !finalizer.equals(DrainRequest.FINALIZER))
        .toList();
  }
}

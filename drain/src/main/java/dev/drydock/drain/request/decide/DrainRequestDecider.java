package dev.drydock.drain.request.decide;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.drain.engine.decide.DrainPolicy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who serves a DrainRequest, and what comes next. A request is served if it names the built-in
 * drainer. One that names no drainer is served only where {@link ServedRequests#UNCLAIMED} says so,
 * unless another drainer has put its finalizer on it; if that happens later, Drydock steps back.
 */
public final class DrainRequestDecider {
  private DrainRequestDecider() {}

  /** The drain that this process runs for a request: of which generation of the spec, and where. */
  public record Running(long generation, String node) {}

  public static DrainRequestStep decide(
      DrainRequestFacts request, ServedRequests serves, Optional<Running> running) {
    boolean claimed = request.isClaimedByUs();
    if (request.deleting() || !isOurs(request, serves)) {
      return claimed
          ? new DrainRequestStep.Release(withoutOurs(request))
          : new DrainRequestStep.Leave();
    }
    if (isSettled(request)) {
      return new DrainRequestStep.Leave();
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
    String drainer = request.drainer();
    if (drainer.isEmpty()) {
      return serves == ServedRequests.UNCLAIMED
          && request.finalizers().stream().noneMatch(DrainRequestDecider::isClaimOfAnother);
    }
    return drainer.equals(DrainRequest.BUILTIN_DRAINER);
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

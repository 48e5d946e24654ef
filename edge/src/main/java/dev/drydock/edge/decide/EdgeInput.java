package dev.drydock.edge.decide;

import java.util.Map;
import java.util.Optional;

/**
 * What a drain at the edge sees.
 *
 * @param clustered whether the node is one of several; empty while that is not known
 * @param requests those that are published now
 * @param force what a person wrote into the force file, if it is valid
 * @param asking whether the API server has not answered yet
 * @param result its last answer, once
 * @param run the attempt under way, or how it ended
 * @param faultInjected whether a test holds the completion back
 * @param operationDeferred whether an operation waits for the drain
 * @param cancelled whether a person has called everything off
 * @param settings those for the next drain
 * @param turns whether nodes go one at a time
 * @param turnTaken whether the turn has become ours since the API server was last asked
 * @param keepsCordon whether a node whose drain failed stays cordoned
 */
public record EdgeInput(
    Optional<Boolean> clustered,
    Map<DrainRequester, NodeDrainRequest> requests,
    Optional<ForcedStatus> force,
    boolean asking,
    Optional<ApiResult> result,
    Optional<AttemptView> run,
    boolean faultInjected,
    boolean operationDeferred,
    boolean cancelled,
    EdgeSettings settings,
    boolean turns,
    boolean turnTaken,
    boolean keepsCordon) {
  public EdgeInput {
    requests = Map.copyOf(requests);
  }

  /** An attempt at draining. */
  public sealed interface AttemptView {
    /** It goes on. */
    record Running() implements AttemptView {}

    /** No pod that had to go is left. */
    record Done() implements AttemptView {}

    /** Its time is over, or it could not begin. */
    record Failed(String why) implements AttemptView {}

    /** A person has uncordoned the node. */
    record CalledOff(String why) implements AttemptView {}
  }

  boolean isRunning() {
    return run.filter(AttemptView.Running.class::isInstance).isPresent();
  }
}

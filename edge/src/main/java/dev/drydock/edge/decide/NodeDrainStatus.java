package dev.drydock.edge.decide;

/**
 * The published state of the drain.
 *
 * @param requestedBy whom it is addressed to
 */
public record NodeDrainStatus(NodeDrainState state, DrainRequester requestedBy) {
  /** Whether this requester takes notice of it; what is forced for nobody is for everybody. */
  public boolean isFor(DrainRequester requester, boolean forced) {
    return requestedBy == requester || (forced && requestedBy == DrainRequester.NONE);
  }
}

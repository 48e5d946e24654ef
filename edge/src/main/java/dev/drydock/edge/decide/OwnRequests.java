package dev.drydock.edge.decide;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The drain requests that the agent itself has published, for operations that somebody asked it
 * for.
 */
public record OwnRequests(Map<DrainRequester, NodeDrainRequest> byRequester) {
  public OwnRequests {
    byRequester = Map.copyOf(byRequester);
  }

  /**
   * Whether a request has to be published. Another program's request is as good as ours. One
   * request serves all device operations; only a new image replaces an older one.
   *
   * @param there the published request of the same requester
   */
  public boolean mustPublish(NodeDrainRequest request, Optional<NodeDrainRequest> there) {
    if (there.isEmpty()) {
      return true;
    }
    boolean otherOperation =
        request.requestedBy() == DrainRequester.DEVICEOP
            && !there.get().context().equals(request.context());
    return isOurs(request.requestedBy(), there) && !there.get().equals(request) && !otherOperation;
  }

  /** Whether what is published is what we have published. */
  public boolean isOurs(DrainRequester by, Optional<NodeDrainRequest> there) {
    return there.isPresent() && there.get().equals(byRequester.get(by));
  }

  /** Requests that no operation needs any more. */
  public Set<DrainRequester> unneeded(Set<DrainRequester> needed) {
    Set<DrainRequester> unneeded = EnumSet.noneOf(DrainRequester.class);
    unneeded.addAll(byRequester.keySet());
    unneeded.removeAll(needed);
    return unneeded;
  }

  public OwnRequests with(NodeDrainRequest request) {
    Map<DrainRequester, NodeDrainRequest> next = copy();
    next.put(request.requestedBy(), request);
    return new OwnRequests(next);
  }

  public OwnRequests without(DrainRequester by) {
    Map<DrainRequester, NodeDrainRequest> next = copy();
    next.remove(by);
    return new OwnRequests(next);
  }

  private Map<DrainRequester, NodeDrainRequest> copy() {
    Map<DrainRequester, NodeDrainRequest> copy = new EnumMap<>(DrainRequester.class);
    copy.putAll(byRequester);
    return copy;
  }
}

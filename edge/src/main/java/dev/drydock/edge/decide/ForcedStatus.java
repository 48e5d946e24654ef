package dev.drydock.edge.decide;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a person wrote into the force file.
 *
 * @param state NOTSUPPORTED: no drains while the file is there. COMPLETE: the drain counts as done,
 *     once.
 * @param requestedBy whom it is for; NONE addresses everybody
 */
public record ForcedStatus(NodeDrainState state, DrainRequester requestedBy) {
  /** Other states cannot be forced. */
  public boolean isValid() {
    return state == NodeDrainState.NOTSUPPORTED || state == NodeDrainState.COMPLETE;
  }

  public boolean disables() {
    return state == NodeDrainState.NOTSUPPORTED;
  }

  public Set<DrainRequester> addressed() {
    return requestedBy == DrainRequester.NONE
        ? EnumSet.of(DrainRequester.DEVICEOP, DrainRequester.UPDATE)
        : EnumSet.of(requestedBy);
  }
}

package dev.drydock.health.drainer;

import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.quarantine.QuarantineNames;

/** Names that the node drainer has on Nodes. */
public final class NodeDrainerNames {
  /** What the last drain is doing, or has done: outlives the resources and Events of the drain. */
  public static final String RECORD = QuarantineNames.DRAIN_RECORD;

  /** Holds the node while its pods are evicted. */
  public static final String HOLDER = "health/node-drainer";

  /** The component that Events name, as in the original. */
  static final String COMPONENT = "nvsentinel-node-drainer";

  private NodeDrainerNames() {}

  /** One for each drain that may run at the same time. */
  static String holder(DrainScope scope) {
    return scope instanceof DrainScope.Device device ? HOLDER + "/" + device.value() : HOLDER;
  }

  static boolean isOurs(String holder) {
    return holder.equals(HOLDER) || holder.startsWith(HOLDER + "/");
  }
}

package dev.drydock.health.customdrain;

/** Names on the resources by which others drain nodes. */
public final class CustomDrainNames {
  /** Whose drain it is; the label has it only as far as a label may be long. */
  public static final String NODE = "drydock.dev/node";

  public static final String EVENT = "drydock.dev/health-event";
  public static final String EPISODE = "drydock.dev/episode";

  /** The device whose pods are to go, if not all are. */
  public static final String DEVICE = "drydock.dev/device";

  private CustomDrainNames() {}
}

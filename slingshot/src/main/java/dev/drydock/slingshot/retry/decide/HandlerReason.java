package dev.drydock.slingshot.retry.decide;

/** Why a NIC has a retry handler, or has none. */
public enum HandlerReason {
  Running,
  /** Somebody else runs one. */
  RunningElsewhere,
  /** Another process has its lock, and none can be seen that serves it. */
  Locked,
  /** Its device file is missing. */
  DeviceFileMissing,
  /** Its driver is being replaced. */
  DriverUpdate,
  /** There is no program to start. */
  RetryHandlerBinaryMissing,
  /** It ended by itself, and is started again later. */
  Crashed,
  /** It ended by itself, and is not started again. */
  Quarantined,
  /** It was asked to end. */
  Stopping;

  /** Whether a handler serves the NIC. */
  public boolean serves() {
    return this == Running || this == RunningElsewhere;
  }
}

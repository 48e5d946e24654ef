package dev.drydock.drain.engine.decide;

/** Whether the DaemonSet that a pod names as its controller is really there. */
public sealed interface DaemonSetLookup {
  /** The pod names no DaemonSet, so nobody looked. */
  record NotADaemonSet() implements DaemonSetLookup {}

  record Exists() implements DaemonSetLookup {}

  record Missing() implements DaemonSetLookup {}

  /** Not known yet, or not to be had; never taken for either answer. */
  record Failed(String reason) implements DaemonSetLookup {}
}

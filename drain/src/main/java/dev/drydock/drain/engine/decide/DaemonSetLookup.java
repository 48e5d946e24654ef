package dev.drydock.drain.engine.decide;

/** Whether the DaemonSet that a pod names as its controller exists. */
public sealed interface DaemonSetLookup {
  /** The pod has no DaemonSet, so there was no lookup. */
  record NotADaemonSet() implements DaemonSetLookup {}

  record Exists() implements DaemonSetLookup {}

  record Missing() implements DaemonSetLookup {}

  /** Not known yet, or the lookup failed; never treated as either answer. */
  record Failed(String reason) implements DaemonSetLookup {}
}

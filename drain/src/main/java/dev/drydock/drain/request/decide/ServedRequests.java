package dev.drydock.drain.request.decide;

/** Which DrainRequests the built-in drainer serves. */
public enum ServedRequests {
  /** Those that name it. */
  NAMED,
  /** Also those without a name that no other drainer has claimed. */
  UNCLAIMED
}

package dev.drydock.edge.decide;

/** What a drain asks of the API server. */
public enum ApiAction {
  PROBE,
  CORDON,
  CHECK_PEERS,
  RELEASE
}

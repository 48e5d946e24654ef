package dev.drydock.edge.decide;

import java.time.Instant;

/** What came of an {@link ApiAction}. */
public sealed interface ApiResult {
  /** PROBE: the API server answered. */
  record Answered() implements ApiResult {}

  /** CORDON: the node is held. */
  record Cordoned(Instant heldSince) implements ApiResult {}

  /** CORDON: it is another node's turn. */
  record NotOurTurn(String why) implements ApiResult {}

  /** CHECK_PEERS: the other nodes, and what storage says. */
  record Peers(ClusterNodes nodes, StorageView storage) implements ApiResult {}

  /** RELEASE: our hold is gone. */
  record Released() implements ApiResult {}

  /**
   * Of any action.
   *
   * @param code the HTTP code; 0 if there was no answer
   */
  record Failed(ApiAction action, int code, String message) implements ApiResult {
    public boolean isUnreachable() {
      return ApiReach.isUnreachable(code);
    }
  }
}

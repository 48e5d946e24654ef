package dev.drydock.edge.decide;

import dev.drydock.edge.decide.EdgeInput.AttemptView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A drain whose shell is the test: it answers questions and lets time pass. */
final class TestEdgeDrain {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  EdgeDrain drain = EdgeDrain.atStart(START);
  Instant now = START;
  Optional<Boolean> clustered = Optional.of(true);
  final Map<DrainRequester, NodeDrainRequest> requests = new EnumMap<>(DrainRequester.class);
  Optional<ForcedStatus> force = Optional.empty();
  @Nullable AttemptView run;
  boolean faultInjected;
  boolean operationDeferred;
  boolean cancelled;
  boolean turns = true;
  boolean turnTaken;
  boolean keepsCordon = true;
  EdgeSettings settings = EdgeSettings.DEFAULT;
  @Nullable ApiAction asked;
  final List<String> log = new ArrayList<>();
  final List<NodeDrainState> states = new ArrayList<>(List.of(NodeDrainState.NOTSUPPORTED));
  final List<Duration> deadlines = new ArrayList<>();
  int attemptsStarted;
  Instant rest = Instant.MAX;

  TestEdgeDrain request(DrainRequester by, String context) {
    requests.put(by, new NodeDrainRequest(now, by, context));
    return settle();
  }

  /** With the answer to what was asked. */
  TestEdgeDrain answer(ApiResult result) {
    asked = null;
    return settle(Optional.of(result));
  }

  TestEdgeDrain fails(int code) {
    ApiAction action = asked;
    if (action == null) {
      throw new IllegalStateException("nothing was asked: " + drain);
    }
    return answer(new ApiResult.Failed(action, code, "no " + code));
  }

  TestEdgeDrain ends(AttemptView how) {
    run = how;
    return settle();
  }

  TestEdgeDrain pass(Duration time) {
    now = now.plus(time);
    return settle();
  }

  TestEdgeDrain settle() {
    return settle(Optional.empty());
  }

  private TestEdgeDrain settle(Optional<ApiResult> first) {
    Optional<ApiResult> result = first;
    for (int i = 0; i < 50; i++) {
      EdgeStep step = EdgeDecider.decide(drain, input(result), now);
      if (!(step instanceof EdgeStep.CancelAttempt)) {
        result = Optional.empty();
      }
      switch (step) {
        case EdgeStep.Become become -> become(become);
        case EdgeStep.Ask ask -> {
          if (asked != null) {
            throw new IllegalStateException("two questions at once");
          }
          asked = ask.action();
          return this;
        }
        case EdgeStep.StartAttempt start -> {
          attemptsStarted++;
          deadlines.add(start.deadline());
          run = new AttemptView.Running();
        }
        case EdgeStep.CancelAttempt _ -> run = null;
        case EdgeStep.Wait wait -> {
          rest = wait.until();
          return this;
        }
      }
    }
    throw new IllegalStateException("does not come to rest: " + drain);
  }

  private void become(EdgeStep.Become become) {
    drain = become.next();
    log.addAll(become.lines());
    if (states.getLast() != drain.state()) {
      states.add(drain.state());
    }
    if (drain.phase() != EdgeDrain.Phase.DRAINING) {
      run = null;
    }
    if (become.takesForce()) {
      force = Optional.empty();
    }
    if (become.takesCancel()) {
      cancelled = false;
    }
  }

  private EdgeInput input(Optional<ApiResult> result) {
    return new EdgeInput(
        clustered,
        requests,
        force,
        asked != null,
        result,
        Optional.ofNullable(run),
        faultInjected,
        operationDeferred,
        cancelled,
        settings,
        turns,
        turnTaken,
        keepsCordon);
  }

  /** Up to its first attempt, on a cluster with another schedulable node. */
  TestEdgeDrain draining() {
    settle();
    request(DrainRequester.DEVICEOP, "reboot");
    answer(new ApiResult.Answered());
    answer(new ApiResult.Cordoned(now));
    return answer(peers(true, StorageView.NONE));
  }

  static ApiResult peers(boolean schedulable, StorageView storage) {
    return new ApiResult.Peers(
        new ClusterNodes("a", List.of(node("a", false), node("b", schedulable))), storage);
  }

  static PeerNode node(String name, boolean schedulable) {
    return new PeerNode(name, "", schedulable, true, false, true, false, "");
  }

  static StorageView lastReplicaOn(String node) {
    return new StorageView(
        List.of(
            new VolumeReplica("v-r1", "v", node, true, -1),
            new VolumeReplica("v-r2", "v", "b", false, 40)),
        List.of(),
        Optional.empty());
  }
}

package dev.drydock.edge.decide;

import static dev.drydock.edge.decide.NodeDrainState.COMPLETE;
import static dev.drydock.edge.decide.NodeDrainState.CORDONED;
import static dev.drydock.edge.decide.NodeDrainState.DRAINRETRYING;
import static dev.drydock.edge.decide.NodeDrainState.FAILEDCORDON;
import static dev.drydock.edge.decide.NodeDrainState.FAILEDDRAIN;
import static dev.drydock.edge.decide.NodeDrainState.NOTREQUESTED;
import static dev.drydock.edge.decide.NodeDrainState.NOTSUPPORTED;
import static dev.drydock.edge.decide.NodeDrainState.REQUESTED;
import static dev.drydock.edge.decide.NodeDrainState.STARTING;
import static dev.drydock.edge.decide.TestEdgeDrain.lastReplicaOn;
import static dev.drydock.edge.decide.TestEdgeDrain.peers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.EdgeDrain.Ending;
import dev.drydock.edge.decide.EdgeInput.AttemptView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state machine, row by row. */
class EdgeDeciderTest {
  private static final Duration DAY = Duration.ofHours(24);
  private final TestEdgeDrain edge = new TestEdgeDrain();

  @Test
  void aDrainGoesThroughEveryState() {
    edge.draining().ends(new AttemptView.Done());

    assertThat(edge.states)
        .containsExactly(NOTSUPPORTED, NOTREQUESTED, REQUESTED, STARTING, CORDONED, COMPLETE);
    assertThat(edge.drain.ending()).contains(Ending.DRAINED);
    assertThat(String.join("\n", edge.log))
        .contains(
            "nodedrain-step:drain-request-handle",
            "Beginning kubernetes node drain process this could be a very long operation depending"
                + " on replica rebuilds (24hours+)",
            "nodedrain-step:drain-starting",
            "nodedrain-step:drain-cordon-complete",
            "nodedrain-step:drain-attempt try:1",
            "nodedrain-step:drain-complete");
  }

  @Test
  void beforeTheClusterIsKnownNothingIsSupported() {
    edge.clustered = Optional.empty();
    edge.request(DrainRequester.DEVICEOP, "reboot");

    assertThat(edge.drain.state()).isEqualTo(NOTSUPPORTED);

    edge.clustered = Optional.of(true);
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(STARTING);
  }

  @Test
  void aRequestOutsideAClusterIsDropped() {
    edge.clustered = Optional.of(false);
    edge.request(DrainRequester.UPDATE, "image");

    assertThat(edge.states).containsExactly(NOTSUPPORTED);
    assertThat(edge.log).anyMatch(line -> line.contains("dropped"));
    assertThat(edge.drain.published(edge.requests))
        .isEqualTo(new NodeDrainStatus(NOTSUPPORTED, DrainRequester.NONE));
  }

  @Test
  void aNodeThatLeavesItsClusterEndsItsDrain() {
    edge.draining();
    edge.clustered = Optional.of(false);
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(NOTSUPPORTED);
    assertThat(edge.run).isNull();
    assertThat(edge.asked).isEqualTo(ApiAction.RELEASE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 408, 429, 500, 502, 503, 504})
  void anApiServerThatIsUnreachableForTheWholeTimeSkipsTheDrain(int code) {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    for (int i = 0; i < 60; i++) {
      assertThat(edge.asked).as("after %d s", i * 5).isEqualTo(ApiAction.PROBE);
      edge.fails(code).pass(Duration.ofSeconds(5));
    }
    edge.fails(code);

    assertThat(edge.drain.state()).isEqualTo(COMPLETE);
    assertThat(edge.drain.ending()).contains(Ending.API_UNREACHABLE);
    assertThat(edge.drain.ending().get().isMeasured()).isFalse();
  }

  @Test
  void anApiServerThatAnswersInTimeSkipsNothing() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.fails(0).pass(Duration.ofSeconds(299)).answer(new ApiResult.Answered());

    assertThat(edge.drain.state()).isEqualTo(STARTING);
    assertThat(edge.asked).isEqualTo(ApiAction.CORDON);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 404, 409, 422})
  void aRefusalIsAnAnswer(int code) {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.fails(code);

    assertThat(edge.asked).isEqualTo(ApiAction.CORDON);
  }

  @Test
  void cordoningIsTriedTenTimes() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered());
    for (int i = 1; i < 10; i++) {
      edge.fails(403);
      assertThat(edge.drain.state()).as("try %d", i).isEqualTo(STARTING);
      edge.pass(Duration.ofSeconds(5));
    }
    edge.fails(403);

    assertThat(edge.drain.state()).isEqualTo(FAILEDCORDON);
    assertThat(edge.drain.message()).isEqualTo("no 403");
    assertThat(edge.log).anyMatch(line -> line.contains("nodedrain-step:drain-cordon-failure"));
  }

  @Test
  void anApiServerThatGoesAwayWhileCordoningIsProbedAgain() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered()).fails(403).pass(Duration.ofSeconds(5)).fails(0);

    assertThat(edge.drain.phase()).isEqualTo(EdgeDrain.Phase.PROBING);
    assertThat(edge.drain.tries()).as("kept").isEqualTo(1);
  }

  @Test
  void waitingForTheTurnIsNoTry() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered());
    for (int i = 0; i < 100; i++) {
      edge.answer(new ApiResult.NotOurTurn("b is out")).pass(Duration.ofSeconds(5));
    }

    assertThat(edge.drain.state()).isEqualTo(STARTING);
    assertThat(edge.drain.tries()).isZero();
    assertThat(edge.drain.message()).isEqualTo("b is out");
  }

  @Test
  void theTurnIsUsedAtOnce() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered()).answer(new ApiResult.NotOurTurn("waits for its turn"));
    assertThat(edge.asked).isNull();
    edge.turnTaken = true;

    assertThat(edge.settle().asked).isEqualTo(ApiAction.CORDON);
  }

  @Test
  void withoutAnotherNodeTheDrainIsSkippedAfterTheWindow() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered()).answer(new ApiResult.Cordoned(edge.now));
    for (int i = 0; i < 24; i++) {
      edge.answer(peers(false, StorageView.NONE));
      assertThat(edge.drain.state()).isEqualTo(CORDONED);
      edge.pass(Duration.ofSeconds(5));
    }
    edge.answer(peers(false, StorageView.NONE));

    assertThat(edge.drain.ending()).contains(Ending.NO_PEER);
    assertThat(edge.drain.state()).isEqualTo(COMPLETE);
    assertThat(edge.attemptsStarted).isZero();
    assertThat(edge.log).contains("nodedrain-step:drain-skip-no-schedulable-nodes");
  }

  @Test
  void theLastReplicaIsNeverSkipped() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered()).answer(new ApiResult.Cordoned(edge.now));
    edge.pass(Duration.ofMinutes(2)).answer(peers(false, lastReplicaOn("a")));

    assertThat(edge.drain.state()).isEqualTo(CORDONED);
    assertThat(edge.attemptsStarted).isEqualTo(1);
  }

  @Test
  void replicasThatCannotBeReadAreNotSkipped() {
    edge.turns = false;
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered()).answer(new ApiResult.Cordoned(edge.now));
    edge.answer(peers(false, StorageView.unreadable("forbidden")));

    assertThat(edge.attemptsStarted).isEqualTo(1);
  }

  @Test
  void withTurnsAnotherNodeIsEnoughAtOnce() {
    edge.draining();

    assertThat(edge.now).isEqualTo(TestEdgeDrain.START);
    assertThat(edge.attemptsStarted).isEqualTo(1);
  }

  @Test
  void withoutTurnsTheWholeWindowIsWaitedAsInTheOriginal() {
    edge.turns = false;
    edge.draining();
    for (int i = 0; i < 24; i++) {
      assertThat(edge.attemptsStarted).isZero();
      edge.pass(Duration.ofSeconds(5));
      edge.answer(peers(true, StorageView.NONE));
    }

    assertThat(edge.attemptsStarted).isEqualTo(1);
    assertThat(edge.now).isEqualTo(TestEdgeDrain.START.plusSeconds(120));
  }

  @Test
  void drainingIsAttemptedFiveTimes() {
    edge.draining();
    for (int attempt = 1; attempt < 5; attempt++) {
      edge.pass(DAY).ends(new AttemptView.Failed("budget")).answer(peers(true, StorageView.NONE));
      assertThat(edge.drain.state()).isEqualTo(DRAINRETRYING);
      assertThat(edge.attemptsStarted).isEqualTo(attempt);
      edge.pass(Duration.ofSeconds(299));
      assertThat(edge.attemptsStarted).as("pause").isEqualTo(attempt);
      edge.pass(Duration.ofSeconds(1));
      assertThat(edge.attemptsStarted).isEqualTo(attempt + 1);
      assertThat(edge.drain.state()).as("during the attempt").isEqualTo(DRAINRETRYING);
    }
    edge.pass(DAY).ends(new AttemptView.Failed("budget")).answer(peers(true, StorageView.NONE));

    assertThat(edge.drain.state()).isEqualTo(FAILEDDRAIN);
    assertThat(edge.drain.message()).isEqualTo("budget");
    assertThat(edge.log)
        .contains(
            "nodedrain-step:drain-failure try:5: budget", "nodedrain-step:drain-attempt try:5")
        .anyMatch(line -> line.startsWith("nodedrain-step:drain-failure-givingup"));
    assertThat(edge.deadlines)
        .as("each attempt has the whole time, counted from the hold")
        .containsExactly(
            DAY,
            DAY.multipliedBy(2).plusSeconds(300),
            DAY.multipliedBy(3).plusSeconds(600),
            DAY.multipliedBy(4).plusSeconds(900),
            DAY.multipliedBy(5).plusSeconds(1200));
  }

  @Test
  void afterAFailedAttemptWithoutAnotherNodeItIsComplete() {
    edge.draining().ends(new AttemptView.Failed("budget")).answer(peers(false, StorageView.NONE));

    assertThat(edge.drain.ending()).contains(Ending.NO_PEER_AFTER_FAILURE);
    assertThat(edge.drain.ending().get().isMeasured()).isTrue();
  }

  @Test
  void afterAFailedAttemptTheLastReplicaStays() {
    edge.draining().ends(new AttemptView.Failed("budget"));
    edge.answer(peers(false, lastReplicaOn("a")));

    assertThat(edge.drain.state()).isEqualTo(DRAINRETRYING);
  }

  @Test
  void aPersonWhoUncordonsWins() {
    edge.draining().ends(new AttemptView.CalledOff("the node was uncordoned"));

    assertThat(edge.drain.state()).isEqualTo(FAILEDDRAIN);
    assertThat(edge.pass(DAY).attemptsStarted).isEqualTo(1);
  }

  @Test
  void aFailedDrainUncordonsOnlyIfItShould() {
    edge.keepsCordon = false;
    edge.draining().ends(new AttemptView.CalledOff("no"));

    assertThat(edge.asked).isEqualTo(ApiAction.RELEASE);
    edge.fails(0).pass(Duration.ofSeconds(5));
    assertThat(edge.asked).as("until it is done").isEqualTo(ApiAction.RELEASE);
    edge.answer(new ApiResult.Released());
    assertThat(edge.drain.heldSince()).isEmpty();
    assertThat(edge.drain.state()).isEqualTo(FAILEDDRAIN);
  }

  @Test
  void aNewRequestStartsAgainAfterAFailure() {
    edge.draining().ends(new AttemptView.CalledOff("no"));
    edge.pass(Duration.ofSeconds(1)).request(DrainRequester.DEVICEOP, "reboot");

    assertThat(edge.drain.state()).isEqualTo(STARTING);
    assertThat(edge.drain.tries()).isZero();
  }

  @Test
  void theSameRequestDoesNotStartAgainAfterAFailure() {
    edge.draining().ends(new AttemptView.CalledOff("no")).pass(DAY);

    assertThat(edge.drain.state()).isEqualTo(FAILEDDRAIN);
    edge.requests.clear();
    assertThat(edge.settle().drain.state()).as("withdrawn").isEqualTo(FAILEDDRAIN);
  }

  @Test
  void aSecondRequesterJoinsAndBothAreTold() {
    edge.draining().request(DrainRequester.UPDATE, "image-2");

    assertThat(edge.attemptsStarted).isEqualTo(1);
    assertThat(edge.drain.published(edge.requests).requestedBy())
        .isEqualTo(DrainRequester.DEVICEOP);
    edge.ends(new AttemptView.Done());
    assertThat(edge.drain.stateFor(DrainRequester.DEVICEOP)).isEqualTo(COMPLETE);
    assertThat(edge.drain.stateFor(DrainRequester.UPDATE)).isEqualTo(COMPLETE);
    assertThat(edge.drain.requestedAt()).contains(TestEdgeDrain.START);
  }

  @Test
  void aRequestThatIsWithdrawnEndsTheDrainAndFreesTheNode() {
    edge.draining();
    edge.requests.clear();
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(NOTREQUESTED);
    assertThat(edge.run).isNull();
    assertThat(edge.asked).isEqualTo(ApiAction.RELEASE);
  }

  @Test
  void oneOfTwoRequestsThatIsWithdrawnEndsNothing() {
    edge.draining().request(DrainRequester.UPDATE, "image");
    edge.requests.remove(DrainRequester.DEVICEOP);
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(CORDONED);
    assertThat(edge.drain.served()).containsOnlyKeys(DrainRequester.UPDATE);
  }

  @Test
  void aCompleteDrainStaysSoWhenItsRequestGoes() {
    edge.draining().ends(new AttemptView.Done());
    edge.requests.clear();

    assertThat(edge.settle().drain.state()).isEqualTo(COMPLETE);
    assertThat(edge.request(DrainRequester.UPDATE, "later").drain.state()).isEqualTo(COMPLETE);
  }

  @Test
  void settingsThatChangeDuringADrainCountForTheNext() {
    edge.draining();
    edge.settings = EdgeSettings.of(Map.of(EdgeSettings.DRAIN_TIMEOUT, 1L));
    edge.settle();

    assertThat(edge.drain.settings()).isEqualTo(EdgeSettings.DEFAULT);
    edge.ends(new AttemptView.CalledOff("no"));
    edge.pass(Duration.ofSeconds(1)).request(DrainRequester.DEVICEOP, "again");
    assertThat(edge.drain.settings().drainTimeout()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aFaultInjectedHoldsTheCompletionBack() {
    edge.draining();
    edge.faultInjected = true;
    edge.ends(new AttemptView.Done());

    assertThat(edge.drain.state()).isEqualTo(CORDONED);
    assertThat(edge.rest).isEqualTo(edge.now.plusSeconds(30));
    edge.faultInjected = false;
    assertThat(edge.pass(Duration.ofSeconds(30)).drain.state()).isEqualTo(COMPLETE);
  }

  @Test
  void aForcedCompletionStopsTheWorkerOnce() {
    edge.draining();
    edge.force = Optional.of(new ForcedStatus(COMPLETE, DrainRequester.DEVICEOP));
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(COMPLETE);
    assertThat(edge.drain.ending()).contains(Ending.FORCED);
    assertThat(edge.run).isNull();
    assertThat(edge.force).as("used up").isEmpty();
  }

  @Test
  void aCompletionForcedForOneLeavesTheOtherItsDrain() {
    edge.draining().request(DrainRequester.UPDATE, "image");
    edge.force = Optional.of(new ForcedStatus(COMPLETE, DrainRequester.DEVICEOP));
    edge.settle();

    assertThat(edge.drain.stateFor(DrainRequester.DEVICEOP)).isEqualTo(COMPLETE);
    assertThat(edge.drain.stateFor(DrainRequester.UPDATE)).isEqualTo(CORDONED);
    assertThat(edge.run).isNotNull();
  }

  @Test
  void aCompletionForcedForNobodyIsForEverybody() {
    edge.draining().request(DrainRequester.UPDATE, "image");
    edge.force = Optional.of(new ForcedStatus(COMPLETE, DrainRequester.NONE));
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(COMPLETE);
    assertThat(edge.drain.released())
        .containsExactlyInAnyOrder(DrainRequester.DEVICEOP, DrainRequester.UPDATE);
  }

  @Test
  void aCompletionForcedBeforeAnyRequestIsNoDrainForOthers() {
    edge.settle();
    edge.force = Optional.of(new ForcedStatus(COMPLETE, DrainRequester.DEVICEOP));
    edge.settle();

    assertThat(edge.drain.published(Map.of()))
        .isEqualTo(new NodeDrainStatus(COMPLETE, DrainRequester.DEVICEOP));
    assertThat(edge.request(DrainRequester.UPDATE, "image").drain.state()).isEqualTo(STARTING);
    assertThat(edge.drain.stateFor(DrainRequester.DEVICEOP)).isEqualTo(COMPLETE);
  }

  @Test
  void drainsThatAreSwitchedOffStopTheWorkerAndKeepTheHoldOfAnOperation() {
    edge.draining();
    edge.operationDeferred = true;
    edge.force = Optional.of(new ForcedStatus(NOTSUPPORTED, DrainRequester.NONE));
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(NOTSUPPORTED);
    assertThat(edge.run).isNull();
    assertThat(edge.asked).as("the boot lifts it").isNull();
    assertThat(edge.force).as("stays").isPresent();
    edge.pass(Duration.ofSeconds(1)).request(DrainRequester.UPDATE, "image");
    assertThat(edge.drain.state()).isEqualTo(NOTSUPPORTED);
  }

  @Test
  void drainsThatAreSwitchedOffReleaseTheNodeIfNoOperationGoes() {
    edge.draining();
    edge.force = Optional.of(new ForcedStatus(NOTSUPPORTED, DrainRequester.NONE));

    assertThat(edge.settle().asked).isEqualTo(ApiAction.RELEASE);
  }

  @Test
  void drainsThatAreSwitchedOnAgainWaitForANewRequest() {
    edge.draining();
    edge.force = Optional.of(new ForcedStatus(NOTSUPPORTED, DrainRequester.NONE));
    edge.settle().answer(new ApiResult.Released());
    edge.force = Optional.empty();

    assertThat(edge.settle().drain.state()).isEqualTo(NOTREQUESTED);
    edge.pass(Duration.ofSeconds(1)).request(DrainRequester.DEVICEOP, "reboot");
    assertThat(edge.drain.state()).isEqualTo(STARTING);
  }

  @Test
  void aCancellationLeavesNothingBehind() {
    edge.draining();
    edge.cancelled = true;
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(NOTREQUESTED);
    assertThat(edge.cancelled).isFalse();
    assertThat(edge.asked).isEqualTo(ApiAction.RELEASE);
    edge.answer(new ApiResult.Released());
    assertThat(edge.pass(DAY).drain.state())
        .as("the request that is still there is not served again")
        .isEqualTo(NOTREQUESTED);
  }

  /** Up to a cordon that was carried out, perhaps: its answer was lost. */
  private void loseTheCordonsAnswer() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.answer(new ApiResult.Answered()).fails(0);
    assertThat(edge.drain.phase()).isEqualTo(EdgeDrain.Phase.PROBING);
    assertThat(edge.drain.heldSince()).isEmpty();
  }

  private void assertReleased() {
    if (edge.asked == ApiAction.PROBE) {
      edge.fails(0).pass(EdgeSettings.BETWEEN_TRIES);
    }
    assertThat(edge.asked).isEqualTo(ApiAction.RELEASE);
    edge.answer(new ApiResult.Released());
    assertThat(edge.drain.mayBeHeld()).isFalse();
    assertThat(edge.pass(DAY).asked).as("once").isNull();
  }

  @Test
  void aHoldWhoseAnswerWasLostIsReleasedWhenTheRequestIsWithdrawn() {
    loseTheCordonsAnswer();
    edge.requests.clear();
    edge.settle();

    assertThat(edge.drain.state()).isEqualTo(NOTREQUESTED);
    assertReleased();
  }

  @Test
  void aHoldWhoseAnswerWasLostIsReleasedWhenADrainIsCancelled() {
    loseTheCordonsAnswer();
    edge.cancelled = true;
    edge.settle();

    assertReleased();
  }

  @Test
  void aHoldWhoseAnswerWasLostIsReleasedWhenDrainsAreSwitchedOff() {
    loseTheCordonsAnswer();
    edge.force = Optional.of(new ForcedStatus(NOTSUPPORTED, DrainRequester.NONE));
    edge.settle();

    assertReleased();
  }

  @Test
  void aHoldWhoseAnswerWasLostIsReleasedByWhoeverCancelsASkippedDrain() {
    loseTheCordonsAnswer();
    for (int i = 0; i < 61 && edge.drain.isActive(); i++) {
      edge.fails(0).pass(EdgeSettings.BETWEEN_TRIES);
    }
    assertThat(edge.drain.ending()).contains(Ending.API_UNREACHABLE);
    edge.cancelled = true;
    edge.settle();

    assertReleased();
  }

  @Test
  void aHoldWhoseAnswerWasLostIsReleasedAlthoughAnotherRequestCameAndWent() {
    loseTheCordonsAnswer();
    edge.requests.clear();
    edge.settle();
    edge.pass(Duration.ofSeconds(1)).request(DrainRequester.UPDATE, "image");
    edge.requests.clear();
    edge.settle();

    assertReleased();
  }

  @Test
  void aHoldWhoseAnswerWasLostIsReleasedWithAFailedCordonIfItShould() {
    edge.keepsCordon = false;
    loseTheCordonsAnswer();
    edge.answer(new ApiResult.Answered());
    for (int i = 0; i < EdgeSettings.CORDON_TRIES; i++) {
      edge.fails(403).pass(EdgeSettings.BETWEEN_TRIES);
    }

    assertThat(edge.drain.state()).isEqualTo(FAILEDCORDON);
    assertReleased();
  }

  @Test
  void whatWasNeverAskedForIsNotReleased() {
    edge.settle().request(DrainRequester.DEVICEOP, "reboot");
    edge.fails(0);
    edge.requests.clear();
    edge.settle();

    assertThat(edge.pass(DAY).asked).isNull();
  }
}

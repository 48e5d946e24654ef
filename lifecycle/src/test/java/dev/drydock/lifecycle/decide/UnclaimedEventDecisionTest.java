package dev.drydock.lifecycle.decide;

import static dev.drydock.lifecycle.decide.TestClaimInput.but;
import static dev.drydock.lifecycle.decide.TestClaimInput.claimed;
import static dev.drydock.lifecycle.decide.TestClaimInput.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnclaimedEventDecisionTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final UnclaimedEventDecision NOTHING =
      new UnclaimedEventDecision.Leave(Optional.empty());

  @Test
  void anEventThatNobodyClaimsFailsAfterAWhileAndStays() {
    assertThat(decide(pending("a"), true, 299)).isEqualTo(left(1));
    assertThat(decide(pending("a"), true, 300))
        .isEqualTo(
            new UnclaimedEventDecision.Fail(
                "not claimed within 300 s: no agent claims events of node n1; is 'drydock agent' running there?"));
  }

  @Test
  void whatItsClaimerSaysIsTheReason() {
    LifecycleEventFacts waiting = but(pending("a"), event -> event.message("waits for driver x"));

    assertThat(decide(waiting, true, 300))
        .isEqualTo(new UnclaimedEventDecision.Fail("not claimed within 300 s: waits for driver x"));
  }

  @Test
  void anEventThatIsQueuedIsNotForgotten() {
    LifecycleEventFacts queued =
        but(pending("b"), event -> event.message("waits for LifecycleEvent a"));

    assertThat(decide(queued, true, 3600)).isEqualTo(NOTHING);
  }

  @Test
  void aQueuedEventFailsWithItsNodeUnlessThatComesBack() {
    LifecycleEventFacts queued =
        but(pending("b"), event -> event.message("waits for LifecycleEvent a"));

    assertThat(decideQueued(queued, false, 29, Optional.empty())).isEqualTo(left(1));
    assertThat(decideQueued(queued, false, 30, Optional.empty()))
        .isEqualTo(new UnclaimedEventDecision.Fail("there is no node n1"));
  }

  @Test
  void aQueuedEventFailsIfItIsNotClaimedWhenItsTurnHasCome() {
    LifecycleEventFacts queued =
        but(pending("b"), event -> event.message("waits for LifecycleEvent a"));

    assertThat(decideQueued(queued, true, 0, Optional.of(299L))).isEqualTo(left(1));
    assertThat(decideQueued(queued, true, 0, Optional.of(300L)))
        .isEqualTo(
            new UnclaimedEventDecision.Fail(
                "not claimed within 300 s after the LifecycleEvents that came first; is 'drydock agent' running on node n1?"));
  }

  @Test
  void othersWaitForAnEventUntilItsClaimerHasLetItGo() {
    assertThat(pending("a").isAtWork()).isFalse();
    assertThat(claimed("a").isAtWork()).isTrue();
    LifecycleEventFacts ended = but(claimed("a"), event -> event.claim(ClaimStatus.Succeeded));
    assertThat(ended.isAtWork()).isTrue();
    assertThat(but(ended, event -> event.marks(false, false, false)).isAtWork()).isFalse();
  }

  private static UnclaimedEventDecision decideQueued(
      LifecycleEventFacts event, boolean nodeExists, long gone, Optional<Long> first) {
    return UnclaimedEventDecision.decide(
        event,
        "n1",
        Optional.of(nodeExists),
        new UnclaimedEventDecision.Seen(
            Duration.ofHours(1),
            Duration.ofSeconds(gone),
            Duration.ZERO,
            first.map(Duration::ofSeconds)),
        TIMEOUT);
  }

  @Test
  void anEventForANodeThatDoesNotExistSaysSo() {
    assertThat(decide(pending("a"), false, 299)).isEqualTo(left(1));
    assertThat(decide(pending("a"), false, 300))
        .isEqualTo(new UnclaimedEventDecision.Fail("there is no node n1"));
  }

  @Test
  void nothingFailsWhileNobodyKnowsTheNodes() {
    assertThat(
            UnclaimedEventDecision.decide(
                pending("a"), "n1", Optional.empty(), seen(3600), TIMEOUT))
        .isEqualTo(NOTHING);
    assertThat(
            UnclaimedEventDecision.decide(
                claimed("a"), "n1", Optional.empty(), seen(3600), TIMEOUT))
        .isEqualTo(NOTHING);
  }

  @Test
  void aClaimedEventGoesWithItsNodeUnlessThatComesBack() {
    assertThat(decide(claimed("a"), true, 3600)).isEqualTo(NOTHING);
    assertThat(decide(claimed("a"), false, 29)).isEqualTo(left(1));
    assertThat(decide(claimed("a"), false, 30))
        .isEqualTo(new UnclaimedEventDecision.Finish("node n1 is gone"));
  }

  @Test
  void whatEndedOrWasDeletedWithoutItsClaimerIsLetGoToo() {
    LifecycleEventFacts ended = but(claimed("a"), event -> event.claim(ClaimStatus.Succeeded));
    LifecycleEventFacts marked = but(pending("a"), event -> event.ours().deleted());

    assertThat(decide(ended, false, 30)).isInstanceOf(UnclaimedEventDecision.Finish.class);
    assertThat(decide(marked, false, 30)).isInstanceOf(UnclaimedEventDecision.Finish.class);
  }

  @Test
  void whatWasDeletedIsLetGoIfItsAgentDoesNot() {
    LifecycleEventFacts deleted = but(claimed("a"), event -> event.deleted());
    LifecycleEventFacts kubelets = but(deleted, event -> event.marks(true, true, false));

    assertThat(decide(deleted, true, 299)).isEqualTo(left(1));
    assertThat(decide(deleted, true, 300)).isInstanceOf(UnclaimedEventDecision.Finish.class);
    assertThat(decide(kubelets, true, 3600)).isEqualTo(NOTHING);
  }

  @Test
  void whatWasRejectedStaysForItsAuthor() {
    LifecycleEventFacts rejected = but(pending("a"), event -> event.claim(ClaimStatus.Failed));

    assertThat(decide(rejected, false, 3600)).isEqualTo(NOTHING);
  }

  private static UnclaimedEventDecision decide(
      LifecycleEventFacts event, boolean nodeExists, long seconds) {
    return UnclaimedEventDecision.decide(
        event, "n1", Optional.of(nodeExists), seen(seconds), TIMEOUT);
  }

  private static UnclaimedEventDecision.Seen seen(long seconds) {
    Duration time = Duration.ofSeconds(seconds);
    return new UnclaimedEventDecision.Seen(time, time, time, Optional.empty());
  }

  private static UnclaimedEventDecision left(long seconds) {
    return new UnclaimedEventDecision.Leave(Optional.of(Duration.ofSeconds(seconds)));
  }
}

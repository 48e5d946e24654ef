package dev.drydock.drain.decide;

import static dev.drydock.drain.decide.Facts.pod;
import static dev.drydock.drain.decide.Facts.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.decide.DrainPolicy.Unreachable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainPolicyTest {
  @Test
  void theDefaultsAreKubectls() {
    DrainPolicy policy = DrainPolicy.defaults();

    assertThat(policy.force()).isFalse();
    assertThat(policy.daemonSets()).isEqualTo(DrainPolicy.DaemonSets.REFUSE);
    assertThat(policy.emptyDirDataMayGo()).isFalse();
    assertThat(policy.gracePeriod()).isEmpty();
    assertThat(policy.deleteInsteadOfEvict()).isFalse();
    assertThat(policy.skipWait()).isEmpty();
    assertThat(policy.deadline()).isEmpty();
    assertThat(policy.forceAfter()).isEmpty();
    assertThat(policy.unreachable()).isEqualTo(Unreachable.WAIT);
    assertThat(policy.cordonRequired()).isTrue();
  }

  @Test
  void gracePeriodAndSkipWaitAreTakenAsKubectlTakesThem() {
    assertThat(DrainPolicy.builder().gracePeriodSeconds(-1).build().gracePeriod()).isEmpty();
    assertThat(DrainPolicy.builder().gracePeriodSeconds(0).build().gracePeriod()).contains(s(0));
    assertThat(DrainPolicy.builder().skipWait(s(0)).build().skipWait()).isEmpty();
  }

  @Test
  void nonsenseIsRefusedInOneLine() {
    DrainPolicy.Builder policy = DrainPolicy.builder();
    assertThatThrownBy(() -> policy.deadline(s(0), AtDeadline.FAIL).build())
        .hasMessage("the deadline must be longer than nothing; leave it out for no deadline");
    assertThatThrownBy(() -> DrainPolicy.builder().forceAfter(s(-1)).build())
        .hasMessage("force-after must not be negative, but is PT-1S");
    assertThatThrownBy(() -> DrainPolicy.builder().skipWait(s(-1)).build())
        .hasMessage("skip-wait-for-delete must not be negative, but is PT-1S");
    assertThatThrownBy(() -> DrainPolicy.builder().maxInFlight(0).build())
        .hasMessage("at least one request must be allowed in flight, not 0");
    assertThatThrownBy(() -> new Mode.DeleteAfter(s(-1)))
        .hasMessage("delete-after must not be negative, but is PT-1S");
    assertThatThrownBy(() -> Rule.of(Rule.Match.ANY, new Mode.EvictNow()).withGrace(s(-1)))
        .hasMessageStartingWith("a rule's grace period must not be negative");
    assertThatThrownBy(
            () ->
                DrainPolicy.builder()
                    .unreachable(new Unreachable(Unreachable.Action.FORCE_DELETE, s(-1)))
                    .build())
        .hasMessageStartingWith("the time for unreachable nodes must not be negative");
  }

  @Test
  void theFirstMatchingRuleCountsAndJobsComeAfterTheRules() {
    DrainPolicy policy =
        DrainPolicy.builder()
            .waitForJobs(true)
            .rule(Rule.of(Rule.Match.namespace("web"), new Mode.LeaveAlone()))
            .rule(Rule.of(Rule.Match.ownedBy("ReplicaSet"), new Mode.DeleteAfter(s(9))))
            .build();
    PodFacts web = pod("a").build();
    PodFacts db = PodFacts.named("db", "a", "1").controller(Facts.REPLICA_SET).build();
    PodFacts job = PodFacts.named("db", "b", "2").controller(Facts.JOB).build();
    PodFacts bare = PodFacts.named("db", "c", "3").build();

    assertThat(List.of(web, db, job, bare))
        .extracting(pod -> policy.ruleFor(pod).mode())
        .containsExactly(
            new Mode.LeaveAlone(),
            new Mode.DeleteAfter(s(9)),
            new Mode.LetFinish(),
            new Mode.EvictNow());
  }

  @ParameterizedTest
  @CsvSource({
    "web, web, true",
    "web, web2, false",
    "w*, web, true",
    "*, anything, true",
    "*-system, kube-system, true",
    "*-system, kube-systems, false",
    "w?b, web, true",
    "w?b, wb, false",
    "a*b*c, a-b-b-c, true",
    "a*b*c, a-c-b, false",
    "w**, web, true"
  })
  void namespacesMatchByGlob(String glob, String namespace, boolean expected) {
    PodFacts pod = PodFacts.named(namespace, "a", "1").build();

    assertThat(Rule.Match.namespace(glob).matches(pod)).isEqualTo(expected);
  }
}

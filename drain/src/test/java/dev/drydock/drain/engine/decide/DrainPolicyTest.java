package dev.drydock.drain.engine.decide;

import static dev.drydock.drain.engine.decide.DrainVariants.withGrace;
import static dev.drydock.drain.engine.decide.TestFacts.pod;
import static dev.drydock.drain.engine.decide.TestFacts.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.Unreachable;
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
    assertThatThrownBy(() -> new EvictionMode.DeleteAfter(s(-1)))
        .hasMessage("delete-after must not be negative, but is PT-1S");
    assertThatThrownBy(() -> withGrace(s(-1), PolicyRule.Match.ANY, new EvictionMode.EvictNow()))
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
            .rule(PolicyRule.of(PolicyRule.Match.namespace("web"), new EvictionMode.LeaveAlone()))
            .rule(
                PolicyRule.of(
                    PolicyRule.Match.ownedBy("ReplicaSet"), new EvictionMode.DeleteAfter(s(9))))
            .build();
    PodFacts web = pod("a").build();
    PodFacts db = PodFacts.named("db", "a", "1").controller(TestFacts.REPLICA_SET).build();
    PodFacts job = PodFacts.named("db", "b", "2").controller(TestFacts.JOB).build();
    PodFacts bare = PodFacts.named("db", "c", "3").build();

    assertThat(List.of(web, db, job, bare))
        .extracting(pod -> policy.ruleFor(pod).mode())
        .containsExactly(
            new EvictionMode.LeaveAlone(),
            new EvictionMode.DeleteAfter(s(9)),
            new EvictionMode.LetFinish(),
            new EvictionMode.EvictNow());
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

    assertThat(PolicyRule.Match.namespace(glob).matches(pod)).isEqualTo(expected);
  }
}

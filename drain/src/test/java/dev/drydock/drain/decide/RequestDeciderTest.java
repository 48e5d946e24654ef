package dev.drydock.drain.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.AtDeadline;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.drain.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.decide.RequestFacts.Complete;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestDeciderTest {
  private static final String OURS = DrainRequest.FINALIZER;
  private static final String SLINKY = DrainRequest.SLINKY_FINALIZER;
  private static final String SOMEBODY = "example.com/audit";
  private static final long GENERATION = 3;

  private static DrainRequestSpec spec(@Nullable String drainer, @Nullable Policy policy) {
    return spec("node-1", drainer, policy, null);
  }

  private static DrainRequestSpec spec(
      String node,
      @Nullable String drainer,
      @Nullable Policy policy,
      @Nullable Map<String, List<String>> pods) {
    return new DrainRequestSpec(
        node, null, null, null, null, null, null, null, pods, drainer, policy);
  }

  private static RequestFacts request(
      DrainRequestSpec spec, boolean deleting, List<String> finalizers, @Nullable Complete now) {
    return new RequestFacts(
        "ns",
        "name",
        GENERATION,
        deleting,
        finalizers,
        spec,
        Optional.ofNullable(now),
        PodCount.NONE);
  }

  private static RequestStep decide(@Nullable String drainer, boolean deleting, String... marks) {
    return RequestDecider.decide(request(spec(drainer, null), deleting, List.of(marks), null));
  }

  /** Every drainer, with and without deletion, with every set of finalizers. */
  @Test
  void everyCombinationOfDrainerDeletionAndClaimsHasItsStep() {
    List<@Nullable String> drainers = new ArrayList<>(List.of("", "builtin", "slinky"));
    drainers.add(null);
    List<String> all = List.of(OURS, SLINKY, SOMEBODY);
    for (String drainer : drainers) {
      for (boolean deleting : List.of(false, true)) {
        for (int set = 0; set < 8; set++) {
          List<String> marks = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            if ((set & (1 << i)) != 0) {
              marks.add(all.get(i));
            }
          }
          boolean open = drainer == null || drainer.isEmpty();
          boolean ours = open ? !marks.contains(SLINKY) : "builtin".equals(drainer);
          Class<?> expected =
              marks.contains(OURS)
                  ? (ours && !deleting ? RequestStep.Drain.class : RequestStep.Release.class)
                  : (ours && !deleting ? RequestStep.Claim.class : RequestStep.Leave.class);
          assertThat(decide(drainer, deleting, marks.toArray(String[]::new)))
              .as("drainer %s, deleting %s, finalizers %s", drainer, deleting, marks)
              .isInstanceOf(expected);
        }
      }
    }
  }

  @Test
  void claimAndReleaseKeepTheFinalizersOfOthers() {
    assertThat(decide(null, false, SOMEBODY))
        .isEqualTo(new RequestStep.Claim(List.of(SOMEBODY, OURS)));
    assertThat(decide(null, true, SOMEBODY, OURS))
        .isEqualTo(new RequestStep.Release(List.of(SOMEBODY)));
  }

  @Test
  void anEndIsFinalForTheSpecItWasReachedWithAndCompletionForAny() {
    for (RequestReport.Reason reason : RequestReport.Reason.values()) {
      String status = reason.isComplete() ? "True" : "False";
      for (long generation : List.of(GENERATION - 1, GENERATION)) {
        boolean isEnd = RequestReport.Reason.isEnd(reason.name());
        boolean settled = reason.isComplete() || (isEnd && generation == GENERATION);
        RequestStep step =
            RequestDecider.decide(
                request(
                    spec(null, null),
                    false,
                    List.of(OURS),
                    new Complete(status, reason.name(), generation)));
        assertThat(step)
            .as("%s of generation %d", reason, generation)
            .isInstanceOf(settled ? RequestStep.Leave.class : RequestStep.Drain.class);
      }
    }
    assertThat(RequestReport.Reason.isEnd("SomebodyElsesWord")).isFalse();
  }

  @Test
  void aCompleteRequestIsStillReleasedWhenItIsDeleted() {
    RequestFacts request =
        request(spec(null, null), true, List.of(OURS), new Complete("True", "NoPods", GENERATION));
    assertThat(RequestDecider.decide(request)).isInstanceOf(RequestStep.Release.class);
  }

  @Test
  void whatMakesNoSenseIsRejectedWithTheReason() {
    assertThat(decide(spec(" ", null, null, null)))
        .isEqualTo(new RequestStep.Reject("spec.nodeName is empty"));
    assertThat(decide(spec(null, policy("a in (", null, null))))
        .isInstanceOfSatisfying(
            RequestStep.Reject.class, no -> assertThat(no.why()).startsWith("spec.policy: "));
    assertThat(decide(spec(null, policy(null, null, AtDeadline.Delete))))
        .isEqualTo(new RequestStep.Reject("spec.policy: atDeadline needs deadlineSeconds"));
  }

  private static RequestStep decide(DrainRequestSpec spec) {
    return RequestDecider.decide(request(spec, false, List.of(OURS), null));
  }

  private static Policy policy(
      @Nullable String selector, @Nullable Integer deadline, @Nullable AtDeadline then) {
    return new Policy(null, null, null, null, null, null, selector, null, deadline, then, null);
  }

  @Test
  void withoutAPolicyDaemonSetsStayAndEmptyDirsGo() {
    DrainPolicy policy = RequestPolicy.of(spec(null, null));
    assertThat(policy)
        .isEqualTo(
            DrainPolicy.builder().daemonSets(DaemonSets.IGNORE).emptyDirDataMayGo(true).build());
  }

  @Test
  void everyFieldOfThePolicyCounts() {
    Policy given =
        new Policy(true, false, false, true, true, 7, "app=web", 5, 60, AtDeadline.ForceDelete, 30);
    assertThat(RequestPolicy.of(spec(null, given)))
        .isEqualTo(
            DrainPolicy.builder()
                .force(true)
                .daemonSets(DaemonSets.REFUSE)
                .emptyDirDataMayGo(false)
                .deleteInsteadOfEvict(true)
                .waitForJobs(true)
                .gracePeriodSeconds(7)
                .podSelector(LabelSelector.parse("app=web"))
                .skipWait(Duration.ofSeconds(5))
                .deadline(Duration.ofSeconds(60), DrainPolicy.AtDeadline.FORCE_DELETE)
                .forceAfter(Duration.ofSeconds(30))
                .build());
  }

  @Test
  void podsThatTheRequestDoesNotNameAreLeftAlone() {
    Map<String, List<String>> named = Map.of("a", List.of("x", "y"), "b", List.of());
    DrainPolicy policy = RequestPolicy.of(spec("node-1", null, null, named));
    assertThat(policy.rules())
        .containsExactly(
            Rule.of(Rule.Match.ANY.named(Set.of("a/x", "a/y")), new Mode.EvictNow()),
            Rule.of(Rule.Match.ANY, new Mode.LeaveAlone()));
    assertThat(RequestPolicy.of(spec("node-1", null, null, Map.of("b", List.of()))).rules())
        .as("none named is all meant")
        .isEmpty();
  }
}

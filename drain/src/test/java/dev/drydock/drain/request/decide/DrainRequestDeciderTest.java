package dev.drydock.drain.request.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.AtDeadline;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.engine.decide.EvictionMode;
import dev.drydock.drain.engine.decide.PolicyRule;
import dev.drydock.drain.request.decide.DrainRequestFacts.Complete;
import dev.drydock.drain.request.decide.DrainRequestFacts.Notice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DrainRequestDeciderTest {
  private static final String OURS = DrainRequest.FINALIZER;
  private static final String SLINKY = DrainRequest.SLINKY_FINALIZER;
  private static final String SOMEBODY = "example.com/audit";
  private static final long GENERATION = 3;
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant DUE = CREATED.plus(DrainRequestDecider.SERVED_WITHIN);
  private static final Notice NEW = new Notice(CREATED, false, Optional.empty());

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

  private static DrainRequestFacts request(
      DrainRequestSpec spec, boolean deleting, List<String> finalizers, @Nullable Complete now) {
    return new DrainRequestFacts(
        "ns",
        "name",
        "uid",
        GENERATION,
        deleting,
        finalizers,
        Optional.empty(),
        spec,
        Optional.ofNullable(now),
        PodCount.NONE,
        Optional.empty(),
        NEW);
  }

  private static DrainRequestStep decide(
      @Nullable String drainer, boolean deleting, String... marks) {
    return decide(request(spec(drainer, null), deleting, List.of(marks), null));
  }

  private static DrainRequestStep decide(DrainRequestFacts request) {
    return DrainRequestDecider.decide(request, ServedRequests.UNCLAIMED, Optional.empty(), CREATED);
  }

  /** Every drainer in the field and in the annotation, for both settings. */
  @Test
  void whoNamesTheBuiltInDrainerIsServedAndWhoNamesNobodyOnlyIfTheSettingSaysSo() {
    List<@Nullable String> drainers = new ArrayList<>(List.of("", "builtin", "slinky"));
    drainers.add(null);
    for (ServedRequests serves : ServedRequests.values()) {
      for (String field : drainers) {
        for (String annotation : drainers) {
          Set<String> named = new HashSet<>();
          Stream.of(field, annotation)
              .filter(name -> name != null && !name.isEmpty())
              .forEach(named::add);
          boolean ours =
              named.isEmpty()
                  ? serves == ServedRequests.UNCLAIMED
                  : named.equals(Set.of("builtin"));
          for (boolean claimed : List.of(false, true)) {
            DrainRequestStep step =
                DrainRequestDecider.decide(
                    new DrainRequestFacts(
                        "ns",
                        "name",
                        "uid",
                        GENERATION,
                        false,
                        claimed ? List.of(OURS) : List.of(),
                        Optional.ofNullable(annotation),
                        spec(field, null),
                        Optional.empty(),
                        PodCount.NONE,
                        Optional.empty(),
                        NEW),
                    serves,
                    Optional.empty(),
                    CREATED);
            Class<?> served = claimed ? DrainRequestStep.Drain.class : DrainRequestStep.Claim.class;
            Class<?> left = claimed ? DrainRequestStep.Release.class : DrainRequestStep.Leave.class;
            assertThat(step)
                .as("%s, field %s, annotation %s, claimed %s", serves, field, annotation, claimed)
                .isInstanceOf(ours ? served : left);
          }
        }
      }
    }
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
                  ? (ours && !deleting
                      ? DrainRequestStep.Drain.class
                      : DrainRequestStep.Release.class)
                  : (ours && !deleting
                      ? DrainRequestStep.Claim.class
                      : DrainRequestStep.Leave.class);
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
        .isEqualTo(new DrainRequestStep.Claim(List.of(SOMEBODY, OURS)));
    assertThat(decide(null, true, SOMEBODY, OURS))
        .isEqualTo(new DrainRequestStep.Release(List.of(SOMEBODY)));
  }

  @Test
  void anEndIsFinalForTheSpecItWasReachedWithAndCompletionForAny() {
    for (DrainRequestReport.Reason reason : DrainRequestReport.Reason.values()) {
      String status = reason.isComplete() ? "True" : "False";
      for (long generation : List.of(GENERATION - 1, GENERATION)) {
        boolean isEnd = DrainRequestReport.Reason.isFinal(reason.name());
        boolean settled = isEnd && generation == GENERATION;
        DrainRequestStep step =
            decide(
                request(
                    spec(null, null),
                    false,
                    List.of(OURS),
                    new Complete(status, reason.name(), generation)));
        assertThat(step)
            .as("%s of generation %d", reason, generation)
            .isInstanceOf(settled ? DrainRequestStep.Leave.class : DrainRequestStep.Drain.class);
      }
    }
    assertThat(DrainRequestReport.Reason.isFinal("SomebodyElsesWord")).isFalse();
  }

  /** A drain of every generation on every node, for every kind of spec. */
  @Test
  void aDrainOfAnEarlierSpecEndsAndReleasesItsNodeIfTheRequestNamesAnother() {
    DrainRequestSpec invalid = spec(null, policy("a in (", null, null));
    for (DrainRequestSpec spec :
        List.of(spec(null, null), spec("node-2", null, null, null), invalid)) {
      for (long generation : List.of(GENERATION - 1, GENERATION)) {
        for (String node : List.of("node-1", "node-2")) {
          DrainRequestStep step =
              DrainRequestDecider.decide(
                  request(spec, false, List.of(OURS), null),
                  ServedRequests.UNCLAIMED,
                  Optional.of(new DrainRequestDecider.Running(generation, node)),
                  CREATED);
          if (generation != GENERATION) {
            assertThat(step)
                .as("%s, running on %s", spec, node)
                .isEqualTo(new DrainRequestStep.EndDrain(!node.equals(spec.nodeName())));
          } else {
            assertThat(step)
                .isInstanceOf(
                    spec.equals(invalid)
                        ? DrainRequestStep.Reject.class
                        : DrainRequestStep.Drain.class);
          }
        }
      }
    }
  }

  @Test
  void aRunningDrainChangesNothingForARequestThatIsCompleteDeletedOrNotOurs() {
    Optional<DrainRequestDecider.Running> earlier =
        Optional.of(new DrainRequestDecider.Running(GENERATION - 1, "node-1"));
    DrainRequestFacts complete =
        request(spec(null, null), false, List.of(OURS), new Complete("True", "NoPods", GENERATION));
    DrainRequestFacts deleted = request(spec(null, null), true, List.of(OURS), null);
    DrainRequestFacts others = request(spec("slinky", null), false, List.of(OURS), null);

    assertThat(DrainRequestDecider.decide(complete, ServedRequests.UNCLAIMED, earlier, CREATED))
        .isInstanceOf(DrainRequestStep.Leave.class);
    assertThat(DrainRequestDecider.decide(deleted, ServedRequests.UNCLAIMED, earlier, CREATED))
        .isInstanceOf(DrainRequestStep.Release.class);
    assertThat(DrainRequestDecider.decide(others, ServedRequests.UNCLAIMED, earlier, CREATED))
        .isInstanceOf(DrainRequestStep.Release.class);
  }

  @Test
  void whoCompletesARequestWithoutAGenerationMeansAny() {
    DrainRequestFacts complete =
        request(spec(null, null), false, List.of(OURS), new Complete("True", "ByHand", 0));

    assertThat(decide(complete)).isInstanceOf(DrainRequestStep.Leave.class);
  }

  @Test
  void aCompleteRequestIsStillReleasedWhenItIsDeleted() {
    DrainRequestFacts request =
        request(spec(null, null), true, List.of(OURS), new Complete("True", "NoPods", GENERATION));
    assertThat(decide(request)).isInstanceOf(DrainRequestStep.Release.class);
  }

  @Test
  void whatMakesNoSenseIsRejectedWithTheReason() {
    assertThat(decide(spec(" ", null, null, null)))
        .isEqualTo(new DrainRequestStep.Reject("spec.nodeName is empty"));
    assertThat(decide(spec(null, policy("a in (", null, null))))
        .isInstanceOfSatisfying(
            DrainRequestStep.Reject.class, no -> assertThat(no.why()).startsWith("spec.policy: "));
    assertThat(decide(spec(null, policy(null, null, AtDeadline.Delete))))
        .isEqualTo(new DrainRequestStep.Reject("spec.policy: atDeadline needs deadlineSeconds"));
  }

  private static DrainRequestStep decide(DrainRequestSpec spec) {
    return decide(request(spec, false, List.of(OURS), null));
  }

  private static Policy policy(
      @Nullable String selector, @Nullable Integer deadline, @Nullable AtDeadline then) {
    return new Policy(
        null, null, null, null, null, null, selector, null, deadline, then, null, null);
  }

  @Test
  void withoutAPolicyDaemonSetsStayAndEmptyDirsGo() {
    DrainPolicy policy = DrainRequestPolicy.of(spec(null, null));
    assertThat(policy)
        .isEqualTo(
            DrainPolicy.builder().daemonSets(DaemonSets.IGNORE).emptyDirDataMayGo(true).build());
  }

  @Test
  void everyFieldOfThePolicyCounts() {
    Policy given =
        new Policy(
            true,
            false,
            false,
            true,
            true,
            7,
            "app=web",
            5,
            60,
            AtDeadline.ForceDelete,
            30,
            "hpe.com/cxi");
    assertThat(DrainRequestPolicy.of(spec(null, given)))
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
                .requestsResource("hpe.com/cxi")
                .build());
  }

  @Test
  void podsThatTheRequestDoesNotNameAreLeftAlone() {
    Map<String, List<String>> named = Map.of("a", List.of("x", "y"), "b", List.of());
    DrainPolicy policy = DrainRequestPolicy.of(spec("node-1", null, null, named));
    assertThat(policy.rules())
        .containsExactly(
            PolicyRule.of(
                PolicyRule.Match.ANY.named(Set.of("a/x", "a/y")), new EvictionMode.EvictNow()),
            PolicyRule.of(PolicyRule.Match.ANY, new EvictionMode.LeaveAlone()));
    assertThat(DrainRequestPolicy.of(spec("node-1", null, null, Map.of("b", List.of()))).rules())
        .as("none named is all meant")
        .isEmpty();
  }

  @Test
  void aRequestThatCannotBeServedIsRejectedItsDrainEndsAndItsDeletionCounts() {
    DrainRequestFacts fine = request(spec("builtin", null), false, List.of(OURS), null);
    DrainRequestFacts bad = withProblem(fine);
    Optional<DrainRequestDecider.Running> running =
        Optional.of(new DrainRequestDecider.Running(GENERATION, fine.spec().nodeName()));

    assertThat(decide(bad)).isEqualTo(new DrainRequestStep.Reject("it is too large"));
    assertThat(DrainRequestDecider.decide(bad, ServedRequests.NAMED, running, CREATED))
        .isEqualTo(new DrainRequestStep.EndDrain(false));
    assertThat(decide(withProblem(request(spec("builtin", null), true, List.of(OURS), null))))
        .isEqualTo(new DrainRequestStep.Release(List.of()));
    assertThat(decide(withProblem(request(spec("slinky", null), false, List.of(), null))))
        .isEqualTo(new DrainRequestStep.Leave(DUE));
  }

  private static DrainRequestFacts withProblem(DrainRequestFacts fine) {
    return new DrainRequestFacts(
        fine.namespace(),
        fine.name(),
        fine.uid(),
        fine.generation(),
        fine.deleting(),
        fine.finalizers(),
        fine.drainerAnnotation(),
        fine.spec(),
        fine.complete(),
        fine.counted(),
        Optional.of("it is too large"),
        fine.notice());
  }

  private static DrainRequestStep decide(
      @Nullable String field, Optional<String> annotation, Notice notice, Instant now) {
    return DrainRequestDecider.decide(
        new DrainRequestFacts(
            "ns",
            "name",
            "uid",
            GENERATION,
            false,
            List.of(),
            annotation,
            spec(field, null),
            Optional.empty(),
            PodCount.NONE,
            Optional.empty(),
            notice),
        ServedRequests.NAMED,
        Optional.empty(),
        now);
  }

  @Test
  void aRequestThatNobodyTakesNoticeOfSaysForWhomItWaits() {
    assertThat(decide("slinky", Optional.empty(), NEW, DUE.minusMillis(1)))
        .isEqualTo(new DrainRequestStep.Leave(DUE));
    for (String named : List.of("slinky", "custom")) {
      assertThat(decide(named, Optional.empty(), NEW, DUE))
          .isInstanceOfSatisfying(
              DrainRequestStep.SayWaiting.class,
              step -> assertThat(step.why()).contains("drainer " + named));
    }
    assertThat(decide(null, Optional.empty(), NEW, DUE))
        .isInstanceOfSatisfying(
            DrainRequestStep.SayWaiting.class,
            step ->
                assertThat(step.why())
                    .contains("names no drainer", "spec.drainer", "drydock.dev/drainer"));
    assertThat(decide("builtin", Optional.of("slinky"), NEW, DUE))
        .as("two that disagree are nobody's")
        .isInstanceOfSatisfying(
            DrainRequestStep.SayWaiting.class,
            step -> assertThat(step.why()).contains("different drainers: builtin and slinky"));
  }

  @Test
  void whatARequestSaysAboutWaitingIsTakenBackWhenSomebodyTakesNotice() {
    String why = ((DrainRequestStep.SayWaiting) decide("slinky", Optional.empty(), NEW, DUE)).why();
    Notice said = new Notice(CREATED, false, Optional.of(why));

    assertThat(decide("slinky", Optional.empty(), said, DUE))
        .as("is said once")
        .isEqualTo(new DrainRequestStep.Leave(Instant.MAX));
    assertThat(decide("custom", Optional.empty(), said, DUE))
        .as("for another one now")
        .isInstanceOf(DrainRequestStep.SayWaiting.class);
    assertThat(decide("slinky", Optional.empty(), new Notice(CREATED, true, said.waiting()), DUE))
        .isEqualTo(new DrainRequestStep.SayServed());
    assertThat(decide("builtin", Optional.empty(), said, DUE))
        .as("it is ours now")
        .isEqualTo(new DrainRequestStep.SayServed());
    assertThat(decide("slinky", Optional.empty(), new Notice(CREATED, true, Optional.empty()), DUE))
        .isEqualTo(new DrainRequestStep.Leave(Instant.MAX));
  }
}

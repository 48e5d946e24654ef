package dev.drydock.slurm.drainer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus.DrainedPod;
import dev.drydock.slurm.drainer.decide.DrainAnswer.Reason;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider.Decision;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider.Limits;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider.Sight;
import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerPod;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlinkyDrainDeciderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Limits LIMITS =
      new Limits(Duration.ofMinutes(30), Duration.ofSeconds(5), UnreadyPods.WAIT);
  private static final String OURS = "[T] [NVSentinel] 79 - x";

  private static DrainRequestSpec spec(@Nullable String drainer) {
    return new DrainRequestSpec(
        "n1",
        "GpuXidError",
        "RESTART_VM",
        "e1",
        "off the bus",
        List.of("79"),
        List.of(new DrainRequestSpec.Entity("GPU", "0")),
        null,
        null,
        drainer,
        null);
  }

  private static SlinkyRequest fresh() {
    return new SlinkyRequest(spec(null), "", false, false, false, Optional.empty(), List.of());
  }

  private static SlinkyRequest claimed() {
    return new SlinkyRequest(spec(null), "", false, true, false, Optional.empty(), List.of());
  }

  private static SlinkyRequest answered(Reason reason, Instant since, DrainedPod... pods) {
    return new SlinkyRequest(
        spec(null),
        "",
        false,
        true,
        false,
        Optional.of(new SlinkyRequest.Answer(reason.isComplete(), reason.name(), since)),
        List.of(pods));
  }

  private static SlinkyRequest deleted() {
    return new SlinkyRequest(spec(null), "", true, true, false, Optional.empty(), List.of());
  }

  private static DrainedPod record(String uid) {
    return new DrainedPod("slinky", uid, uid, "SlurmNodeStateDrain=True", "r", "t", null, null);
  }

  private static WorkerNode node(@Nullable String reason, boolean inEpisode) {
    return new WorkerNode("n1", Optional.ofNullable(reason), inEpisode, Optional.empty());
  }

  /** States like {@code Drain, !Undrain, ?Mixed}: True, False and Unknown. */
  private static WorkerPod pod(String name, String phase, boolean ready, String... states) {
    Map<String, SlurmCondition> conditions = new HashMap<>();
    for (String state : states) {
      String status = state.startsWith("!") ? "False" : state.startsWith("?") ? "Unknown" : "True";
      conditions.put(
          "SlurmNodeState" + state.replaceFirst("^[!?]", ""),
          new SlurmCondition(status, "why", ""));
    }
    return new WorkerPod(
        "slinky", name, name, "n1", name, phase, ready, false, conditions, Optional.empty());
  }

  private static WorkerPod pod(String name, String... states) {
    return pod(name, "Running", true, states);
  }

  private static WorkerPod jobsUntil(WorkerPod pod, Instant end) {
    return new WorkerPod(
        pod.namespace(),
        pod.name(),
        pod.uid(),
        pod.node(),
        pod.slurmNode(),
        pod.phase(),
        pod.ready(),
        pod.terminating(),
        pod.states(),
        Optional.of(end));
  }

  private static Sight sight(WorkerPod... pods) {
    return new Sight(Optional.of(node(OURS, false)), List.of(pods), true, false, Optional.empty());
  }

  private static Decision decide(SlinkyRequest request, Sight sight) {
    return SlinkyDrainDecider.decide(request, sight, LIMITS, NOW);
  }

  private static DrainAnswer answer(Decision decision) {
    assertThat(decision.step()).isInstanceOf(SlinkyStep.Answer.class);
    return ((SlinkyStep.Answer) decision.step()).answer();
  }

  @ParameterizedTest
  @CsvSource({
    ",, true",
    "slinky-drainer,, true",
    "custom,, true",
    ",slinky-drainer, true",
    ",custom, true",
    "custom,slinky-drainer, true",
    "builtin,, false",
    ",builtin, false",
    "slinky-drainer,builtin, false",
    "builtin,slinky-drainer, false",
    "somebody,, false"
  })
  void servesWhatNamesItOrNobody(
      @Nullable String inSpec, @Nullable String annotated, boolean served) {
    SlinkyRequest request =
        new SlinkyRequest(
            spec(inSpec),
            annotated == null ? "" : annotated,
            false,
            false,
            false,
            Optional.empty(),
            List.of());

    assertThat(decide(request, sight()).step())
        .isEqualTo(served ? new SlinkyStep.Claim() : new SlinkyStep.Leave());
  }

  @Test
  void aRequestThatNamesAnotherNodeReleasesTheFirstOne() {
    SlinkyRequest request =
        new SlinkyRequest(spec(null), "", false, true, true, Optional.empty(), List.of());

    assertThat(decide(request, sight()).step()).isEqualTo(new SlinkyStep.Uncordon());
  }

  @Test
  void aRequestThatNamesAnotherDrainerLaterIsReleased() {
    SlinkyRequest request =
        new SlinkyRequest(spec("builtin"), "", false, true, false, Optional.empty(), List.of());

    assertThat(decide(request, sight()).step()).isEqualTo(new SlinkyStep.Uncordon());
  }

  @Test
  void claimsThenAnnotatesThenLooksAtPods() {
    Sight bare =
        new Sight(Optional.of(node(null, false)), List.of(), true, false, Optional.empty());

    assertThat(decide(fresh(), bare).step()).isEqualTo(new SlinkyStep.Claim());
    assertThat(decide(claimed(), bare).step())
        .isEqualTo(new SlinkyStep.Cordon("[T] [NVSentinel] 79 GPU:0 - off the bus"));
    assertThat(answer(decide(claimed(), sight())).reason()).isEqualTo(Reason.NoPods);
  }

  @Test
  void leavesAnAnnotationOfSomebodyElse() {
    Sight other =
        new Sight(
            Optional.of(node("maintenance by hand", false)),
            List.of(pod("w1")),
            true,
            false,
            Optional.empty());

    assertThat(answer(decide(claimed(), other)).reason()).isEqualTo(Reason.WaitingForSlurm);
    assertThat(decide(deleted(), other).step()).isEqualTo(new SlinkyStep.Unclaim());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Running|true ||SlurmNodeStateDrain not set",
        "Running|true |Drain|",
        "Running|true |Drain,!Undrain,!Mixed,Idle|",
        "Running|true |!Drain|SlurmNodeStateDrain False",
        "Running|true |?Drain|SlurmNodeStateDrain Unknown",
        "Running|true |Drain,Undrain|SlurmNodeStateUndrain",
        "Running|true |Drain,Allocated|SlurmNodeStateAllocated",
        "Running|true |Drain,Mixed|SlurmNodeStateMixed",
        "Running|true |Drain,Completing|SlurmNodeStateCompleting",
        "Running|true |Allocated|SlurmNodeStateDrain not set, SlurmNodeStateAllocated",
        "Running|false||SlurmNodeStateDrain not set, not Ready",
        "Running|false|Drain|",
        "Running|false|Drain,Mixed|SlurmNodeStateMixed, not Ready",
        "Unknown|false||SlurmNodeStateDrain not set, not Ready",
        "Pending|false||",
        "Succeeded|false||",
        "Failed|false||",
        "Failed|false|Allocated|SlurmNodeStateDrain not set, SlurmNodeStateAllocated, not Ready"
      })
  void waitsUntilSlurmSaysThatAPodIsDrained(
      String phase, boolean ready, @Nullable String states, @Nullable String waitsFor) {
    WorkerPod pod = pod("w1", phase, ready, states == null ? new String[0] : states.split(",", -1));
    Decision decision = decide(claimed(), sight(pod));

    if (waitsFor == null) {
      assertThat(answer(decision).reason()).isEqualTo(Reason.DeletingPods);
    } else {
      assertThat(answer(decision).reason()).isEqualTo(Reason.WaitingForSlurm);
      assertThat(answer(decision).message()).isEqualTo("waiting for Slurm: slinky/w1: " + waitsFor);
    }
    assertThat(decision.looks()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "true, Mixed, false",
    "false, Mixed, true",
    "false, Undrain, true",
    "true, Undrain, false"
  })
  void unreadyPodsMayBeIgnoredAsTheOriginalDoes(boolean ready, String state, boolean deleted) {
    Limits ignoring = new Limits(LIMITS.timeout(), LIMITS.checkInterval(), UnreadyPods.IGNORE);

    Decision decision =
        SlinkyDrainDecider.decide(
            claimed(), sight(pod("w1", "Running", ready, state)), ignoring, NOW);

    assertThat(answer(decision).reason())
        .isEqualTo(deleted ? Reason.DeletingPods : Reason.WaitingForSlurm);
  }

  @Test
  void onePodThatWaitsHoldsUpAll() {
    Decision decision = decide(claimed(), sight(pod("w1", "Drain"), pod("w2", "Drain", "Mixed")));

    assertThat(answer(decision).reason()).isEqualTo(Reason.WaitingForSlurm);
    assertThat(answer(decision).message())
        .isEqualTo("waiting for Slurm: slinky/w2: SlurmNodeStateMixed");
    assertThat(decision.looks())
        .map(PodLook::toString)
        .containsExactly("slinky/w1: ready", "slinky/w2: SlurmNodeStateMixed");
  }

  @Test
  void recordsWhatItSawBeforeItDeletes() {
    Decision decision = decide(claimed(), sight(pod("w1", "Drain"), pod("w2", "Pending", false)));

    assertThat(answer(decision).pods())
        .containsExactly(
            new DrainedPod(
                "slinky",
                "w1",
                "w1",
                "SlurmNodeStateDrain=True",
                "why",
                "2026-01-01T12:00:00Z",
                null,
                null),
            new DrainedPod(
                "slinky", "w2", "w2", null, "PodPending", "2026-01-01T12:00:00Z", null, null));
  }

  @Test
  void deletesWhatIsRecordedAndOnlyIfSlurmStillSaysSo() {
    SlinkyRequest begun =
        answered(Reason.DeletingPods, NOW, record("w1"), record("w2"), record("w3"));

    Decision decision =
        decide(
            begun,
            sight(pod("w1", "Drain"), pod("w2", "Drain", "Mixed"), pod("w3", "Drain").deleted()));

    assertThat(decision.step()).isInstanceOf(SlinkyStep.Delete.class);
    assertThat(((SlinkyStep.Delete) decision.step()).pods())
        .map(look -> look.pod().name())
        .containsExactly("w1");
  }

  @Test
  void isCompleteWhenTheRecordedPodsAreGoneByUid() {
    SlinkyRequest begun = answered(Reason.DeletingPods, NOW, record("w1"));

    DrainAnswer waiting = answer(decide(begun, sight(pod("w1", "Drain").deleted())));
    assertThat(waiting.reason()).isEqualTo(Reason.DeletingPods);
    assertThat(waiting.message()).isEqualTo("waiting for pods to stop: slinky/w1: terminating");
    assertThat(waiting.pods().getFirst().deletedAt()).isEqualTo("2026-01-01T12:00:00Z");
    DrainAnswer done = answer(decide(begun, sight(pod("the-next-w1", "Allocated"))));
    assertThat(done.reason()).isEqualTo(Reason.DrainComplete);
    assertThat(done.pods().getFirst().goneAt()).isEqualTo("2026-01-01T12:00:00Z");
    assertThat(done.gone()).isOne();
  }

  @Test
  void whereNothingIsRecordedAllPodsOfTheNodeCount() {
    SlinkyRequest pruned = answered(Reason.DeletingPods, NOW);

    assertThat(decide(pruned, sight(pod("w1", "Drain"))).step())
        .isInstanceOf(SlinkyStep.Delete.class);
    assertThat(answer(decide(pruned, sight(pod("w1", "Drain").deleted()))).reason())
        .isEqualTo(Reason.DeletingPods);
    assertThat(answer(decide(pruned, sight())).reason()).isEqualTo(Reason.DrainComplete);
  }

  @Test
  void aPodThatIsBeingDeletedIsOnlyWaitedFor() {
    Decision first = decide(claimed(), sight(pod("w1", "Mixed").deleted()));

    assertThat(answer(first).reason()).isEqualTo(Reason.DeletingPods);
    assertThat(answer(first).pods().getFirst().deletedAt()).isNotNull();
  }

  @Test
  void theDrainTimeoutCountsFromTheFirstAnswerAndIsFinal() {
    Instant old = NOW.minus(LIMITS.timeout());
    SlinkyRequest late = answered(Reason.WaitingForSlurm, old);
    Sight busy = sight(pod("w1", "Drain", "Allocated"));

    DrainAnswer answer = answer(decide(late, busy));
    assertThat(answer.reason()).isEqualTo(Reason.DrainTimeout);
    assertThat(answer.message())
        .isEqualTo("not drained after 30m; waiting for slinky/w1: SlurmNodeStateAllocated");
    assertThat(decide(answered(Reason.DrainTimeout, old), sight(pod("w1", "Drain"))).step())
        .isEqualTo(new SlinkyStep.Leave());
    assertThat(answer(decide(answered(Reason.WaitingForSlurm, old.plusSeconds(1)), busy)).reason())
        .isEqualTo(Reason.WaitingForSlurm);
  }

  @Test
  void afterTheTimeoutNothingIsDeletedButWhatIsGoneIsComplete() {
    Instant old = NOW.minus(LIMITS.timeout());

    assertThat(
            answer(decide(answered(Reason.WaitingForSlurm, old), sight(pod("w1", "Drain"))))
                .reason())
        .isEqualTo(Reason.DrainTimeout);
    assertThat(answer(decide(answered(Reason.DeletingPods, old, record("w1")), sight())).reason())
        .isEqualTo(Reason.DrainComplete);
  }

  @Test
  void looksAgainAtTheIntervalOrAtTheDeadline() {
    Instant begun = NOW.minus(LIMITS.timeout()).plusSeconds(2);

    assertThat(decide(claimed(), sight(pod("w1"))).step())
        .matches(step -> ((SlinkyStep.Answer) step).until().equals(NOW.plusSeconds(5)));
    assertThat(decide(answered(Reason.WaitingForSlurm, begun), sight(pod("w1"))).step())
        .matches(step -> ((SlinkyStep.Answer) step).until().equals(NOW.plusSeconds(2)));
  }

  @Test
  void aNodeThatDoesNotExistIsNotDrained() {
    Sight none = new Sight(Optional.empty(), List.of(), true, false, Optional.empty());

    assertThat(answer(decide(claimed(), none)).reason()).isEqualTo(Reason.NodeNotFound);
    assertThat(answer(decide(answered(Reason.DeletingPods, NOW, record("w1")), none)).reason())
        .isEqualTo(Reason.DrainComplete);
    assertThat(decide(deleted(), none).step()).isEqualTo(new SlinkyStep.Unclaim());
  }

  @Test
  void whileTheAndonCordIsPulledNothingBeginsAndReleasesGoOn() {
    Optional<String> stopped = Optional.of("stopped by somebody");
    Sight bare = new Sight(Optional.of(node(null, false)), List.of(), true, false, stopped);
    Sight ready =
        new Sight(
            Optional.of(node(OURS, false)), List.of(pod("w1", "Drain")), true, false, stopped);

    assertThat(answer(decide(claimed(), bare)).message()).isEqualTo("stopped by somebody");
    assertThat(answer(decide(claimed(), ready)).reason()).isEqualTo(Reason.Stopped);
    assertThat(answer(decide(answered(Reason.DeletingPods, NOW, record("w1")), ready)).reason())
        .isEqualTo(Reason.DeletingPods);
    assertThat(decide(deleted(), ready).step()).isEqualTo(new SlinkyStep.Uncordon());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theAnnotationStaysWhileTheFaultIsHandledOrAnotherRequestNeedsIt(boolean inEpisode) {
    Sight sight =
        new Sight(
            Optional.of(node(OURS, inEpisode)), List.of(), true, !inEpisode, Optional.empty());

    assertThat(decide(deleted(), sight).step())
        .isEqualTo(inEpisode ? new SlinkyStep.Leave() : new SlinkyStep.Unclaim());
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"DrainComplete", "NoPods"})
  void afterTheEndTheAnnotationGoesAndThenTheFinalizer(Reason end) {
    assertThat(decide(answered(end, NOW), sight()).step()).isEqualTo(new SlinkyStep.Uncordon());
    Sight bare =
        new Sight(Optional.of(node(null, false)), List.of(), true, false, Optional.empty());
    assertThat(decide(answered(end, NOW), bare).step()).isEqualTo(new SlinkyStep.Unclaim());
  }

  @Test
  void theEstimateIsTheEndOfTheLastJob() {
    WorkerPod first = jobsUntil(pod("w1", "Drain", "Mixed"), NOW.plusSeconds(90));
    WorkerPod last = jobsUntil(pod("w2", "Drain", "Allocated"), NOW.plusSeconds(600));

    assertThat(answer(decide(claimed(), sight(first, last))).eta().atMost())
        .contains(Duration.ofSeconds(630));
    assertThat(answer(decide(claimed(), sight(first, pod("w3", "Mixed")))).eta().atMost())
        .isEmpty();
    assertThat(answer(decide(claimed(), sight(first))).message())
        .endsWith("jobs until 2026-01-01T12:01:30Z");
  }

  /** All combinations: pods are deleted only while each of them is drained or has no process. */
  @Test
  void noPodIsEverDeletedThatSlurmMayUse() {
    List<String> busy = List.of("Allocated", "Mixed", "Completing", "Undrain");
    int deletions = 0;
    for (String phase : List.of("Running", "Unknown", "Pending", "Failed")) {
      for (String drain : List.of("", "Drain", "!Drain", "?Drain")) {
        for (int set = 0; set < 1 << busy.size(); set++) {
          List<String> states = new ArrayList<>(drain.isEmpty() ? List.of() : List.of(drain));
          for (int i = 0; i < busy.size(); i++) {
            if ((set >> i & 1) == 1) {
              states.add(busy.get(i));
            }
          }
          WorkerPod pod = pod("w1", phase, phase.equals("Running"), states.toArray(String[]::new));
          for (SlinkyRequest request :
              List.of(claimed(), answered(Reason.DeletingPods, NOW, record("w1")))) {
            boolean deletes =
                decide(request, sight(pod)).step() instanceof SlinkyStep.Delete
                    || answer(decide(claimed(), sight(pod))).reason() == Reason.DeletingPods;
            boolean jobs = Stream.of("Allocated", "Mixed", "Completing").anyMatch(states::contains);
            boolean drained = states.equals(List.of("Drain"));
            boolean noProcess = List.of("Pending", "Failed").contains(phase) && !jobs;
            assertThat(deletes).as("%s %s", phase, states).isEqualTo(drained || noProcess);
            deletions += deletes ? 1 : 0;
          }
        }
      }
    }
    assertThat(deletions).isPositive();
  }

  @Test
  void theWatchIsNotEnoughToCompleteOrToRecordWhichPodsItIsAbout() {
    Stream.of(List.<WorkerPod>of(), List.of(pod("w1", "Drain")))
        .map(
            pods -> new Sight(Optional.of(node(OURS, false)), pods, false, false, Optional.empty()))
        .forEach(
            sight ->
                assertThat(SlinkyDrainDecider.decide(claimed(), sight, LIMITS, NOW).step())
                    .isEqualTo(new SlinkyStep.ListPods()));
    Sight gone =
        new Sight(Optional.of(node(OURS, false)), List.of(), false, false, Optional.empty());
    SlinkyRequest deleting =
        answered(Reason.DeletingPods, NOW.minus(Duration.ofHours(1)), record("w1"));
    assertThat(SlinkyDrainDecider.decide(deleting, gone, LIMITS, NOW).step())
        .as("also after its time")
        .isEqualTo(new SlinkyStep.ListPods());
  }
}

package dev.drydock.health.drainer.decide;

import static dev.drydock.health.drainer.decide.TestDocuments.GPU;
import static dev.drydock.health.drainer.decide.TestDocuments.NOW;
import static dev.drydock.health.drainer.decide.TestDocuments.WHOLE;
import static dev.drydock.health.drainer.decide.TestDocuments.goal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.Attempts;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainDecider;
import dev.drydock.drain.engine.decide.EvictionMode;
import dev.drydock.drain.engine.decide.Observation;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodDevices;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodRuling;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.health.drainer.NodeDrainerFile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModeRulingsTest {
  private static final String MODES =
      """
      evictionTimeoutInSeconds = "90"
      deleteAfterTimeoutMinutes = 60
      notReadyTimeoutMinutes = 5
      [[userNamespaces]]
      name = "batch-[a-c]*"
      mode = "DeleteAfterTimeout"
      [[userNamespaces]]
      name = "batch-*"
      mode = "Immediate"
      [[userNamespaces]]
      name = "d?"
      mode = "AllowCompletion"
      """;

  private static PodFacts.Builder pod(String namespace) {
    return PodFacts.named(namespace, "pod", "uid-" + namespace)
        .on("node")
        .controller(new Owner("apps/v1", "ReplicaSet", "web", "web-uid"));
  }

  private static DrainRules rules(String toml) {
    return NodeDrainerFile.parse(toml, "test.toml").rules();
  }

  private static PodRuling ruling(String toml, PodFacts.Builder pod, Instant now) {
    return new ModeRulings(rules(toml), goal(WHOLE, false)).of(pod.build(), now);
  }

  private static EvictionMode mode(String toml, PodFacts.Builder pod, Instant now) {
    return ruling(toml, pod, now).rule().mode();
  }

  private static Instant minutes(int number) {
    return NOW.plus(Duration.ofMinutes(number));
  }

  @Test
  void theFirstMatchWins() {
    assertThat(ruling(MODES, pod("batch-a1"), NOW).rule().mode())
        .isEqualTo(new EvictionMode.DeleteAt(minutes(60)));
    assertThat(ruling(MODES, pod("batch-a1"), NOW).rule().grace()).contains(Duration.ZERO);
    assertThat(mode(MODES, pod("batch-z"), NOW)).isEqualTo(new EvictionMode.EvictNow());
    assertThat(ruling(MODES, pod("batch-z"), NOW).rule().grace()).contains(Duration.ofSeconds(90));
    assertThat(mode(MODES, pod("db"), NOW)).isEqualTo(new EvictionMode.LetFinish());
    assertThat(mode(MODES, pod("other"), NOW)).isEqualTo(new EvictionMode.LeaveAlone());
  }

  @Test
  void aForcedDrainChangesTheModeAndNotTheScope() {
    ModeRulings forced = new ModeRulings(rules(MODES), goal(WHOLE, true));

    assertThat(forced.of(pod("db").build(), NOW).rule().mode())
        .isEqualTo(new EvictionMode.EvictNow());
    assertThat(forced.of(pod("other").build(), NOW).rule().mode())
        .isEqualTo(new EvictionMode.LeaveAlone());
  }

  @Test
  void systemNamespacesDaemonSetsMirrorsAndFinishedPodsStay() {
    PodFacts.Builder daemon = pod("d1").controller(new Owner("apps/v1", "DaemonSet", "d", "u"));
    String all = "[[userNamespaces]]\nname = \"*\"\nmode = \"Immediate\"";

    for (PodFacts.Builder each :
        List.of(
            pod("kube-system"),
            pod("cert-manager"),
            daemon,
            pod("d1").on("n1").mirror(true).controller(new Owner("v1", "Node", "n1", "u")),
            pod("d1").phase(PodFacts.Phase.SUCCEEDED),
            pod("d1").phase(PodFacts.Phase.FAILED))) {
      assertThat(mode(all, each, NOW)).isEqualTo(new EvictionMode.LeaveAlone());
    }
    assertThat(mode("systemNamespaces = \"^x$\"\n" + all, pod("kube-system"), NOW))
        .as("what is configured is taken as it is")
        .isEqualTo(new EvictionMode.EvictNow());
  }

  /** Everybody who may create pods can write annotations, owners and any number of labels. */
  @Test
  void podsDoNotEvadeADrainByWhatTheyClaim() {
    String all = "[[userNamespaces]]\nname = \"*\"\nmode = \"Immediate\"";
    String some =
        """
        [[podDrainPolicies]]
        name = "web"
        podSelector = "kind=web"
        mode = "Immediate"
        """;
    PodFacts.Builder foreign =
        pod("d1").controller(new Owner("apps.example.org/v1", "DaemonSet", "d", "u"));

    assertThat(mode(all, pod("d1").on("n1").mirror(true), NOW))
        .isEqualTo(new EvictionMode.EvictNow());
    assertThat(mode(all, foreign, NOW)).isEqualTo(new EvictionMode.EvictNow());
    assertThat(mode(some, pod("d1").reduced(true), NOW)).isEqualTo(new EvictionMode.EvictNow());
  }

  @Test
  void policiesChooseByNamespaceAndLabels() {
    String policies =
        """
        [[podDrainPolicies]]
        name = "jobs"
        namespace = "d*"
        podSelector = "kind=job"
        mode = "AllowCompletion"
        [[podDrainPolicies]]
        name = "rest"
        podSelector = "kind in (job,web)"
        mode = "Immediate"
        """;

    assertThat(mode(policies, pod("d1").labels(Map.of("kind", "job")), NOW))
        .isEqualTo(new EvictionMode.LetFinish());
    assertThat(mode(policies, pod("x").labels(Map.of("kind", "job")), NOW))
        .isEqualTo(new EvictionMode.EvictNow());
    assertThat(mode(policies, pod("x"), NOW)).isEqualTo(new EvictionMode.LeaveAlone());
    DrainSnapshot pods =
        DrainSnapshot.of(
            List.of(pod("x").build()), new ModeRulings(rules(policies), goal(WHOLE, false)));
    assertThat(pods.leftOut()).extracting(Object::toString).containsExactly("x/pod");
  }

  @Test
  void podsThatMayCompleteAreEvictedAfterTheMost() {
    String most = "allowCompletionMaxMinutes = 30\n";

    PodRuling before = ruling(most, pod("x"), minutes(29));
    assertThat(before.rule().mode()).isEqualTo(new EvictionMode.LetFinish());
    assertThat(before.until()).contains(minutes(30));
    assertThat(mode(most, pod("x"), minutes(30))).isEqualTo(new EvictionMode.EvictNow());
    assertThat(mode("", pod("x"), minutes(100_000))).isEqualTo(new EvictionMode.LetFinish());
  }

  @Test
  void podsThatAreStuckAreLeftDeletedOrWaitedFor() {
    PodFacts.Builder unready = pod("x").ready(false).notReadySince(NOW);
    PodFacts.Builder terminating =
        pod("x").terminating(NOW, Duration.ofSeconds(30)).terminationGrace(Duration.ofSeconds(60));

    assertThat(ruling("", unready, minutes(4)).until()).contains(minutes(5));
    assertThat(ruling("", unready, minutes(5)).note()).isEqualTo(ModeRulings.NOT_READY);
    assertThat(mode("stuckPods = \"forceDelete\"", unready, minutes(5)))
        .isEqualTo(new EvictionMode.DeleteAt(minutes(5)));
    assertThat(mode("stuckPods = \"wait\"", unready, minutes(500)))
        .isEqualTo(new EvictionMode.LetFinish());

    assertThat(ruling("", terminating, NOW).until()).contains(minutes(1));
    assertThat(ruling("", terminating, minutes(1)).note()).isEqualTo(ModeRulings.OVERDUE);
    assertThat(mode("stuckPods = \"wait\"", terminating, minutes(500)))
        .isEqualTo(new EvictionMode.EvictNow());
    assertThat(rules("stuckPods = \"forceDelete\"").policy(goal(WHOLE, false)).forceOverdue())
        .contains(Duration.ofSeconds(60));
  }

  @Test
  void onlyPodsOfTheDeviceGoAndUnknownDevicesAreRefused() {
    ModeRulings rulings = new ModeRulings(rules(""), goal(GPU, false));
    PodFacts has = pod("x").devices(new PodDevices(true, Set.of("GPU-1", "GPU-7"))).build();
    PodFacts other = pod("x").devices(new PodDevices(true, Set.of("GPU-7"))).build();
    PodFacts none = pod("x").build();
    PodFacts unknown = pod("x").resources(Set.of("nvidia.com/gpu")).build();
    PodFacts unreadable =
        pod("x")
            .resources(Set.of("nvidia.com/pgpu"))
            .devices(new PodDevices(false, Set.of()))
            .build();

    assertThat(rulings.of(has, NOW).rule().mode()).isEqualTo(new EvictionMode.LetFinish());
    assertThat(rulings.outOfScope(other)).contains(ModeRulings.OutOfScope.OTHER_DEVICE);
    assertThat(rulings.outOfScope(none)).contains(ModeRulings.OutOfScope.OTHER_DEVICE);
    assertThat(rulings.of(unknown, NOW).refusal()).isPresent();
    assertThat(rulings.of(unreadable, NOW).refusal()).isPresent();
    Decision decision = decide("", GPU, unknown, NOW);
    assertThat(decision.status()).isEqualTo(Decision.Status.REFUSED);
    assertThat(DrainWait.of(decision, rules(""), goal(GPU, false)))
        .extracting(DrainWait::kind)
        .containsExactly(DrainWait.Kind.DEVICES);
  }

  @Test
  void onlyPodsWithDevicesCountIfThatIsConfigured() {
    String devices = "drainGPUPods = true";
    assertThat(mode(devices, pod("x"), NOW)).isEqualTo(new EvictionMode.LeaveAlone());
    assertThat(mode(devices, pod("x").devices(new PodDevices(true, Set.of("GPU-1"))), NOW))
        .isEqualTo(new EvictionMode.LetFinish());
  }

  private static Decision decide(String toml, DrainScope scope, PodFacts pod, Instant now) {
    return decide(toml, scope, List.of(pod), now);
  }

  private static Decision decide(String toml, DrainScope scope, List<PodFacts> pods, Instant now) {
    NodeFacts node = NodeFacts.cordoned("node");
    return DrainDecider.decide(
        Observation.of(node, pods, List.of()),
        Attempts.none(),
        rules(toml).policy(goal(scope, false)),
        NOW,
        now);
  }

  @Test
  void theTwoMessagesThatPeopleLookForAreSorted() {
    String toml =
        """
        [[userNamespaces]]
        name = "batch"
        mode = "DeleteAfterTimeout"
        [[userNamespaces]]
        name = "*"
        mode = "AllowCompletion"
        """;
    PodFacts b = PodFacts.named("batch", "b", "1").on("node").build();
    PodFacts a = PodFacts.named("batch", "a", "2").on("node").build();
    PodFacts z = PodFacts.named("web", "z", "3").on("node").build();
    PodFacts db = PodFacts.named("database", "postgres-0", "4").on("node").build();

    assertThat(
            DrainWait.of(
                decide(toml, WHOLE, List.of(b, z, a), minutes(1)), rules(toml), goal(WHOLE, false)))
        .extracting(DrainWait::message)
        .containsExactly(
            "Waiting for following pods to finish: [a b] in namespace: [batch] or they will be force deleted on: 2026-07-01T13:00:00Z");
    assertThat(
            DrainWait.of(
                decide(toml, WHOLE, List.of(z, db), minutes(1)), rules(toml), goal(WHOLE, false)))
        .extracting(DrainWait::message)
        .containsExactly("Waiting for following pods to finish: [database/postgres-0 web/z]");
  }

  @Test
  void aPodWithALongerGracePeriodIsNamed() {
    String all = "[[userNamespaces]]\nname = \"*\"\nmode = \"Immediate\"";
    PodFacts slow = pod("x").terminationGrace(Duration.ofMinutes(5)).build();

    DrainSnapshot pods =
        DrainSnapshot.of(
            List.of(slow, pod("y").build()), new ModeRulings(rules(all), goal(WHOLE, false)));

    assertThat(pods.cutShort()).containsExactly("x/pod (300 s)");
    assertThat(pods.byNamespace()).containsOnlyKeys("x", "y");
  }

  @Test
  void aDeadlineEndsADrain() {
    String toml = "drainDeadlineMinutes = 10";
    Decision late = decide(toml, WHOLE, pod("x").build(), minutes(11));

    assertThat(late.status()).isEqualTo(Decision.Status.FAILED);
    assertThat(late.blockers())
        .extracting(each -> each.reason())
        .contains(BlockReason.DEADLINE_PASSED);
    assertThat(decide("", WHOLE, pod("x").build(), minutes(11)).wakeAt())
        .isEqualTo(Optional.empty());
  }
}

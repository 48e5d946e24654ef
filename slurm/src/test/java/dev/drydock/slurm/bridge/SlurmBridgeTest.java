package dev.drydock.slurm.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.slurm.SlurmFixture;
import dev.drydock.slurm.SlurmFixture.Drainer;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes between Kubernetes and a Slurm in memory, in virtual time. */
class SlurmBridgeTest {
  private static final String DRAIN = "SlurmNodeStateDrain";
  private static final String WHY = "[T] [NVSentinel] 79 - x";
  private static final String RECORD = "drydock.dev/slurm-drain";

  private final SlurmFixture fixture = SlurmFixture.simulated();
  private final FakeSlurm slurm = new FakeSlurm();

  @AfterEach
  void close() {
    fixture.close();
  }

  private record Bridge(TestProcess process, SlurmBridge bridge) implements AutoCloseable {
    @Override
    public void close() {
      bridge.close();
      process.close();
    }
  }

  private Bridge bridge(RequestInterceptor interceptor) {
    TestProcess process = fixture.cluster().process(ProcessOptions.of(interceptor));
    SlurmBridge bridge =
        new SlurmBridge(
            process.kube(),
            slurm,
            new SlurmBridge.Options(
                Resource.PODS
                    .in(SlurmFixture.SLINKY)
                    .labelSelector("app.kubernetes.io/name=slurmd"),
                Duration.ofSeconds(5),
                "drydock-system"),
            new SimpleMeterRegistry());
    bridge.start();
    return new Bridge(process, bridge);
  }

  private Bridge bridge() {
    return bridge(RequestInterceptor.NONE);
  }

  private String nodeWithWorker(String worker) {
    String node = fixture.addNode();
    slurm.node(worker);
    fixture.worker(worker, node);
    return node;
  }

  private PodCondition drain(String pod) {
    return fixture.pod(pod).orElseThrow().getStatus().getConditions().stream()
        .filter(each -> each.getType().equals(DRAIN))
        .findFirst()
        .orElseGet(PodCondition::new);
  }

  private String deadline(String pod) {
    return fixture
        .pod(pod)
        .orElseThrow()
        .getMetadata()
        .getAnnotations()
        .getOrDefault("nodeset.slinky.slurm.net/pod-deadline", "");
  }

  private boolean isRecorded(String node) {
    return fixture.node(node).getMetadata().getAnnotations().containsKey(RECORD);
  }

  @Test
  void anAnnotatedNodeIsDrainedAndResumedWhenTheAnnotationIsGone() {
    String node = nodeWithWorker("n1");
    Instant end = fixture.cluster().clock().instant().plusSeconds(3600);
    slurm.job("n1", Optional.of(end));
    try (Bridge _ = bridge()) {
      fixture.eventually().until(() -> deadline("n1"), end.toString()::equals);
      fixture.annotate(node, WHY);
      fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "True"::equals);
      assertThat(slurm.reason("n1")).isEqualTo(WHY);
      assertThat(drain("n1").getMessage()).isEqualTo("slurm-operator: " + WHY);
      assertThat(fixture.condition("n1", "SlurmNodeStateAllocated")).isEqualTo("True");

      slurm.job("n1", Optional.empty());
      fixture
          .eventually()
          .until(() -> fixture.condition("n1", "SlurmNodeStateAllocated"), "False"::equals);
      fixture.eventually().until(() -> deadline("n1"), String::isEmpty);
      fixture.annotate(node, null);

      fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "False"::equals);
      fixture.eventually().until(() -> !isRecorded(node));
      assertThat(slurm.isDrain("n1")).isFalse();
      assertThat(slurm.changes.get()).as("a drain and a resume").isEqualTo(2);
    }
  }

  @Test
  void theDrainerDeletesTheWorkerWhenTheJobHasEndedAndSlurmResumesIt() {
    String node = nodeWithWorker("n1");
    slurm.job("n1", Optional.of(fixture.cluster().clock().instant().plusSeconds(600)));
    try (Bridge _ = bridge();
        Drainer _ = fixture.drainer()) {
      fixture.request("r", node);
      fixture
          .eventually()
          .until(() -> fixture.message("r"), text -> text.contains("SlurmNodeStateAllocated"));
      fixture.cluster().pass(Duration.ofMinutes(10));
      assertThat(fixture.pods()).containsExactly("n1");

      slurm.job("n1", Optional.empty());

      fixture
          .eventually()
          .until(() -> fixture.answer("r", "Complete"), "True DrainComplete"::equals);
      fixture.eventually().until(() -> !slurm.isDrain("n1"));
      fixture.eventually().until(() -> !isRecorded(node));
    }
  }

  /** Slurm gives it a job at once, and the next look at Slurm takes long or never comes. */
  @Test
  void aWorkerIsNotCalledDrainedAnyMoreWhenSlurmResumesIt() {
    String node = nodeWithWorker("n1");
    fixture.annotate(node, WHY);
    try (Bridge _ = bridge()) {
      fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "True"::equals);
      AtomicReference<String> told = new AtomicReference<>("");
      slurm.onResume =
          () -> {
            told.set(fixture.condition("n1", DRAIN));
            slurm.failure = Optional.of("slurmctld is busy");
          };

      fixture.annotate(node, null);

      fixture.eventually().until(told::get, "Unknown"::equals);
      fixture.cluster().pass(Duration.ofMinutes(1));
      assertThat(fixture.condition("n1", DRAIN)).isEqualTo("Unknown");
    }
  }

  @Test
  void whatSomebodyDrainedInSlurmStaysDrained() {
    String node = nodeWithWorker("n1");
    slurm.drainedBySomebody("n1", "[HC] disk");
    try (Bridge _ = bridge()) {
      fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "True"::equals);
      assertThat(drain("n1").getMessage()).isEqualTo("[HC] disk");
      fixture.annotate(node, WHY);
      fixture.cluster().pass(Duration.ofMinutes(1));
      fixture.annotate(node, null);
      fixture.cluster().pass(Duration.ofMinutes(1));

      assertThat(slurm.isDrain("n1")).isTrue();
      assertThat(slurm.changes.get()).isZero();
    }
  }

  @Test
  void withoutAnAnswerNothingIsDrainedAndTheReasonIsSaid() {
    String node = nodeWithWorker("n1");
    fixture.annotate(node, WHY);
    try (Bridge bridge = bridge();
        Drainer _ = fixture.drainer()) {
      slurm.job("n1", Optional.of(fixture.cluster().clock().instant().plusSeconds(600)));
      fixture.request("r", node);
      fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "True"::equals);
      slurm.failure = Optional.of("the token in /t expired");
      fixture.eventually().until(() -> fixture.condition("n1", DRAIN), "Unknown"::equals);
      slurm.job("n1", Optional.empty());
      fixture.cluster().pass(Duration.ofMinutes(5));

      assertThat(bridge.bridge().unready()).contains("the token in /t expired");
      assertThat(fixture.message("r")).contains("the token in /t expired");
      assertThat(fixture.pods()).containsExactly("n1");

      slurm.failure = Optional.empty();

      fixture
          .eventually()
          .until(() -> fixture.answer("r", "Complete"), "True DrainComplete"::equals);
    }
  }

  @Test
  void aWorkerThatSlurmDoesNotHaveIsWaitedFor() {
    String node = fixture.addNode();
    fixture.worker("stranger", node);
    fixture.annotate(node, WHY);
    try (Bridge _ = bridge()) {
      fixture.eventually().until(() -> fixture.condition("stranger", DRAIN), "Unknown"::equals);

      assertThat(drain("stranger").getMessage()).isEqualTo("Slurm has no node stranger");
    }
  }

  @Test
  void theAndonCordHoldsUpDrainsAndNoResume() {
    String node = nodeWithWorker("n1");
    try (Bridge _ = bridge();
        TestProcess person = fixture.cluster().process()) {
      AndonCord cord = new AndonCord(person.kube(), "drydock-system");
      var _ = cord.pull("a test", "smoke");
      fixture.cluster().pass(Duration.ofSeconds(10));
      fixture.annotate(node, WHY);
      fixture.cluster().pass(Duration.ofMinutes(1));
      assertThat(slurm.isDrain("n1")).isFalse();
      assertThat(cord.release()).isTrue();
      fixture.eventually().until(() -> slurm.isDrain("n1"));
      var _ = cord.pull("a test", "smoke");
      fixture.cluster().pass(Duration.ofSeconds(10));
      fixture.annotate(node, null);

      fixture.eventually().until(() -> !slurm.isDrain("n1"));
    }
  }

  /** Dies at every write: what it drained is resumed by the next process. */
  @Test
  void noWriteIsTheLastOne() {
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      boolean before = dieAndContinue(write, false);
      boolean after = dieAndContinue(write, true);
      survived = before && after;
    }
    assertThat(write).as("writes of a whole life").isGreaterThan(4);
  }

  private static boolean dieAndContinue(int write, boolean carriesItOut) {
    SlurmBridgeTest test = new SlurmBridgeTest();
    String what = "write %d, carried out %s".formatted(write, carriesItOut);
    try {
      String node = test.nodeWithWorker("n1");
      DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
      try (Bridge first = test.bridge(dying)) {
        test.fixture.annotate(node, WHY);
        test.fixture.cluster().pass(Duration.ofSeconds(20));
        test.fixture.annotate(node, null);
        test.fixture.cluster().pass(Duration.ofSeconds(20));
        first.process().kill();
      }
      try (Bridge _ = test.bridge()) {
        test.fixture.cluster().pass(Duration.ofMinutes(1));
      }
      assertThat(test.slurm.isDrain("n1")).as(what).isFalse();
      assertThat(test.isRecorded(node)).as(what).isFalse();
      assertThat(test.fixture.condition("n1", DRAIN)).as(what).isIn("", "False");
      return !dying.isDead();
    } finally {
      test.close();
    }
  }

  @Test
  void aBugAboutOneNodeHarmsNoOther() {
    String bad = nodeWithWorker("n1");
    String good = nodeWithWorker("n2");
    fixture.annotate(bad, WHY);
    fixture.annotate(good, WHY);
    LoopBug bug = new LoopBug().atWritesTo("/nodes/" + bad);
    try (Bridge bridge = bridge(bug)) {
      bug.staysIn(
          "slurm-node",
          bridge.process().kube(),
          fixture.eventually(),
          () -> {
            assertThat(slurm.isDrain("n2")).isTrue();
            assertThat(slurm.isDrain("n1")).isFalse();
          },
          () -> assertThat(slurm.isDrain("n1")).isTrue());
    }
  }

  @Test
  void aBugInALookAtSlurmIsShownAndMended() {
    String node = nodeWithWorker("n1");
    fixture.annotate(node, WHY);
    LoopBug bug = new LoopBug();
    slurm.onLook = bug::strike;
    try (Bridge bridge = bridge()) {
      bug.staysIn(
          "slurm-poll",
          bridge.process().kube(),
          fixture.eventually(),
          () -> {
            assertThat(fixture.condition("n1", DRAIN)).isEqualTo("Unknown");
            assertThat(slurm.isDrain("n1")).isFalse();
          },
          () -> assertThat(slurm.isDrain("n1")).isTrue());
    }
  }
}

package dev.drydock.slurm.drainer;

import static dev.drydock.slurm.SlurmFixture.LIMITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.slurm.SlurmFixture;
import dev.drydock.slurm.SlurmFixture.Drainer;
import dev.drydock.slurm.SlurmFixture.Mock;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider;
import dev.drydock.slurm.drainer.decide.UnreadyPods;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole drains, in virtual time. */
class SlinkyDrainTest {
  private static final String COMPLETE = "True DrainComplete";
  private static final String DRAIN = "SlurmNodeStateDrain";

  private final SlurmFixture fixture = SlurmFixture.simulated();

  @AfterEach
  void close() {
    fixture.close();
  }

  private String nodeWithWorkers(String... names) {
    String node = fixture.addNode();
    for (String name : names) {
      fixture.worker(name, node);
    }
    return node;
  }

  private void eventuallyAnswered(String request, String answer) {
    fixture.eventually().until(() -> fixture.answer(request, "DrainComplete"), answer::equals);
  }

  @Test
  void aRequestByHandIsDrainedAnsweredTwiceAndReleased() {
    String node = nodeWithWorkers("w1", "w2");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("manual", node);
      fixture
          .eventually()
          .until(
              () -> fixture.reason(node), "[T] [NVSentinel] TEST-001 - Manual drain test"::equals);
      eventuallyAnswered("manual", "False WaitingForSlurm");
      assertThat(fixture.pods()).containsExactly("w1", "w2");
      assertThat(fixture.finalizers("manual"))
          .containsExactly("nvsentinel.nvidia.com/slinky-drainer");
      try (Mock _ = fixture.mock()) {
        eventuallyAnswered("manual", COMPLETE);
      }

      assertThat(fixture.answer("manual", "Complete")).isEqualTo(COMPLETE);
      assertThat(fixture.pod("w1")).isEmpty();
      assertThat(fixture.pod("w2")).isEmpty();
      assertThat(fixture.drainedPods("manual"))
          .hasSize(2)
          .allSatisfy(
              pod -> {
                assertThat(pod.condition()).isEqualTo(DRAIN + "=True");
                assertThat(pod.reason()).isEqualTo("NodeCordonedBySlinkyDrainer");
                assertThat(List.of(pod.seenAt() + "", pod.deletedAt() + "", pod.goneAt() + ""))
                    .isSorted()
                    .doesNotContain("null");
              });
      fixture.eventually().until(() -> fixture.reason(node), String::isEmpty);
      fixture.eventually().until(() -> fixture.finalizers("manual"), List::isEmpty);
      assertThat(fixture.events("manual"))
          .contains(
              "SlurmDrained slinky/w1: SlurmNodeStateDrain=True (NodeCordonedBySlinkyDrainer)",
              "SlurmDrained slinky/w2: SlurmNodeStateDrain=True (NodeCordonedBySlinkyDrainer)",
              "NodeAnnotated %s: nodeset.slinky.slurm.net/node-cordon-reason=[T] [NVSentinel] TEST-001 - Manual drain test"
                  .formatted(node))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void whileTheFaultIsHandledTheNodeStaysWithDrainedInSlurmAlsoIfTheRequestIsDeleted() {
    String node = nodeWithWorkers("w1");
    fixture.label(node, "draining");
    try (Drainer _ = fixture.drainer();
        Mock _ = fixture.mock()) {
      fixture.request("quarantine", node);
      eventuallyAnswered("quarantine", COMPLETE);
      fixture.delete("quarantine");
      fixture
          .eventually()
          .holdsFor(
              Duration.ofMinutes(2),
              () -> {
                assertThat(fixture.get("quarantine")).isNotNull();
                assertThat(fixture.reason(node)).isNotEmpty();
              });

      fixture.label(node, null);

      fixture.eventually().until(() -> fixture.get("quarantine") == null);
      assertThat(fixture.reason(node)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Allocated", "Mixed", "Completing", "Undrain"})
  void podsStayWhileSlurmUsesThem(String state) {
    String node = nodeWithWorkers("w1");
    fixture.setCondition("w1", "SlurmNodeState" + state, "True");
    try (Drainer _ = fixture.drainer();
        Mock _ = fixture.mock()) {
      fixture.request("busy", node);
      fixture.eventually().until(() -> fixture.condition("w1", DRAIN), "True"::equals);
      fixture
          .eventually()
          .holdsFor(Duration.ofMinutes(1), () -> assertThat(fixture.pods()).containsExactly("w1"));
      fixture.cluster().pass(Duration.ofMinutes(28));
      assertThat(fixture.pods()).containsExactly("w1");
      assertThat(fixture.message("busy"))
          .isEqualTo("waiting for Slurm: slinky/w1: SlurmNodeState" + state);

      fixture.setCondition("w1", "SlurmNodeState" + state, "False");

      eventuallyAnswered("busy", COMPLETE);
      assertThat(fixture.pod("w1")).isEmpty();
    }
  }

  @Test
  void whatSlurmSaysNothingAboutIsNeverDrainedAndTheTimeoutSaysSo() {
    String node = nodeWithWorkers("w1");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("silent", node);
      eventuallyAnswered("silent", "False DrainTimeout");

      assertThat(fixture.answer("silent", "Complete")).isEqualTo("False DrainTimeout");
      assertThat(fixture.answer("silent", "Failed")).isEqualTo("True DrainTimeout");
      assertThat(fixture.message("silent"))
          .isEqualTo("not drained after 30m; waiting for slinky/w1: SlurmNodeStateDrain not set");
      try (Mock _ = fixture.mock()) {
        fixture.cluster().pass(Duration.ofHours(1));
      }
      assertThat(fixture.pods()).containsExactly("w1");
      assertThat(fixture.reason(node)).isNotEmpty();

      fixture.delete("silent");

      fixture.eventually().until(() -> fixture.get("silent") == null);
      assertThat(fixture.reason(node)).isEmpty();
    }
  }

  @Test
  void theTimeoutCountsOverARestart() {
    String node = nodeWithWorkers("w1");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("silent", node);
      eventuallyAnswered("silent", "False WaitingForSlurm");
      fixture.cluster().pass(Duration.ofMinutes(20));
    }
    try (Drainer _ = fixture.drainer()) {
      fixture
          .eventually()
          .atMost(Duration.ofMinutes(11))
          .until(() -> fixture.answer("silent", "DrainComplete"), "False DrainTimeout"::equals);
    }
  }

  @Test
  void aDeletedRequestIsCancelledAndItsPodsStay() {
    String node = nodeWithWorkers("w1");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("cancelled", node);
      eventuallyAnswered("cancelled", "False WaitingForSlurm");

      fixture.delete("cancelled");

      fixture.eventually().until(() -> fixture.get("cancelled") == null);
      assertThat(fixture.reason(node)).isEmpty();
      assertThat(fixture.pods()).containsExactly("w1");
    }
  }

  @Test
  void aNodeWithoutWorkersIsCompleteWithAWarning() {
    String node = fixture.addNode();
    try (Drainer _ = fixture.drainer()) {
      fixture.request("empty", node);
      eventuallyAnswered("empty", "True NoPods");

      assertThat(fixture.events("empty"))
          .contains(
              "NoPods no Slurm worker runs on node %s, so there was nothing to ask Slurm about"
                  .formatted(node));
    }
  }

  @ParameterizedTest
  @CsvSource({"WAIT, False WaitingForSlurm", "IGNORE, True DrainComplete"})
  void aWorkerThatIsBoundJustBeforeTheNodeIsAnnotatedIsNotOverlooked(
      UnreadyPods unready, String answer) {
    String node = fixture.addNode();
    AtomicBoolean bound = new AtomicBoolean();
    RequestInterceptor binding =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            if (call.verb() == ApiCall.Verb.PATCH
                && call.path().endsWith("/nodes/" + node)
                && bound.compareAndSet(false, true)) {
              fixture.bindWorker("late", node, "10m");
            }
          }

          @Override
          public void after(ApiCall call, int code) {}
        };
    SlinkyDrainDecider.Limits limits =
        new SlinkyDrainDecider.Limits(LIMITS.timeout(), LIMITS.checkInterval(), unready);
    try (Drainer _ = fixture.drainer(ProcessOptions.of(binding), limits)) {
      fixture.request("raced", node);

      eventuallyAnswered("raced", answer);

      assertThat(fixture.pod("late").isPresent()).isEqualTo(unready == UnreadyPods.WAIT);
      assertThat(fixture.events("raced")).noneMatch(event -> event.startsWith("NoPods"));
    }
  }

  @Test
  void twoRequestsForANodeAreOneDrainAndBothAreAnswered() {
    String node = nodeWithWorkers("w1");
    Queue<ApiCall> writes = new ConcurrentLinkedQueue<>();
    try (Drainer _ = fixture.drainer(recordingWrites(writes));
        Mock _ = fixture.mock()) {
      fixture.request("first", node);
      fixture.request("second", node);
      eventuallyAnswered("first", COMPLETE);
      eventuallyAnswered("second", COMPLETE);
      fixture.eventually().until(() -> fixture.reason(node), String::isEmpty);

      assertThat(writes.stream().filter(call -> call.path().endsWith("/pods/w1")))
          .as("a deletion for each request at most, by UID")
          .hasSizeBetween(1, 2);
      assertThat(fixture.drainedPods("first").getFirst().uid())
          .isEqualTo(fixture.drainedPods("second").getFirst().uid());
    }
  }

  private static RequestInterceptor recordingWrites(Queue<ApiCall> writes) {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {
        if (DyingProcess.isWrite(call)) {
          writes.add(call);
        }
      }

      @Override
      public void after(ApiCall call, int code) {}
    };
  }

  @Test
  void theAnnotationStaysAsLongAsOneRequestNeedsIt() {
    String node = nodeWithWorkers("w1");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("first", node);
      fixture.request("second", node);
      eventuallyAnswered("first", "False WaitingForSlurm");
      eventuallyAnswered("second", "False WaitingForSlurm");

      fixture.delete("first");

      fixture.eventually().until(() -> fixture.get("first") == null);
      fixture.cluster().pass(Duration.ofMinutes(1));
      assertThat(fixture.reason(node)).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"drainer: builtin", "drainer: somebody"})
  void requestsForOtherDrainersAreLeft(String drainer) {
    String node = nodeWithWorkers("w1");
    try (Drainer _ = fixture.drainer();
        Mock _ = fixture.mock()) {
      fixture.request("other", node, drainer);
      fixture
          .eventually()
          .holdsFor(
              Duration.ofMinutes(5),
              () -> {
                assertThat(fixture.finalizers("other")).isEmpty();
                assertThat(fixture.reason(node)).isEmpty();
              });
    }
  }

  @Test
  void anAnnotationOfSomebodyElseIsNeitherChangedNorRemoved() {
    String node = nodeWithWorkers("w1");
    fixture.annotate(node, "disk is being replaced");
    try (Drainer _ = fixture.drainer();
        Mock _ = fixture.mock()) {
      fixture.request("second", node);
      eventuallyAnswered("second", COMPLETE);
      fixture.eventually().until(() -> fixture.finalizers("second"), List::isEmpty);

      assertThat(fixture.reason(node)).isEqualTo("disk is being replaced");
    }
  }

  @Test
  void aPodThatReplacesADeletedOneIsAnother() {
    String node = nodeWithWorkers("w1");
    fixture.label(node, "draining");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("replaced", node);
      eventuallyAnswered("replaced", "False WaitingForSlurm");
      fixture.setCondition("w1", DRAIN, "True");
      eventuallyAnswered("replaced", "False DeletingPods");
      fixture.eventually().until(() -> fixture.pod("w1").isEmpty());
      fixture.worker("w1", node);

      eventuallyAnswered("replaced", COMPLETE);

      assertThat(fixture.pods()).containsExactly("w1");
    }
  }

  @Test
  void isNotCompleteBeforeThePodsAreGone() {
    String node = nodeWithWorkers("w1");
    fixture
        .client()
        .nodes()
        .withName(node)
        .edit(
            each -> {
              each.getMetadata().getAnnotations().put("sim.drydock.dev/stop-after", "grace");
              return each;
            });
    try (Drainer _ = fixture.drainer();
        Mock _ = fixture.mock()) {
      fixture.request("slow", node);
      fixture.eventually().until(() -> fixture.pods(), List::isEmpty);
      fixture
          .eventually()
          .holdsFor(
              Duration.ofSeconds(28),
              () -> {
                assertThat(fixture.pod("w1")).isPresent();
                assertThat(fixture.answer("slow", "DrainComplete")).startsWith("False");
              });
      assertThat(fixture.message("slow"))
          .isEqualTo("waiting for pods to stop: slinky/w1: terminating");
      assertThat(fixture.pod("w1").orElseThrow().getMetadata().getDeletionGracePeriodSeconds())
          .isEqualTo(30);

      eventuallyAnswered("slow", COMPLETE);
      assertThat(fixture.pod("w1")).isEmpty();
    }
  }

  @Test
  void whileTheAndonCordIsPulledNothingIsAnnotatedOrDeleted() {
    String node = nodeWithWorkers("w1");
    try (Drainer _ = fixture.drainer();
        Mock _ = fixture.mock();
        TestProcess person = fixture.cluster().process()) {
      AndonCord cord = new AndonCord(person.kube(), "drydock-system");
      var _ = cord.pull("a test", "smoke");
      fixture.cluster().pass(Duration.ofSeconds(10));
      fixture.request("stopped", node);
      eventuallyAnswered("stopped", "False Stopped");
      assertThat(fixture.message("stopped")).contains("stopped by a test", "smoke");
      assertThat(fixture.reason(node)).isEmpty();

      assertThat(cord.release()).isTrue();

      eventuallyAnswered("stopped", COMPLETE);
    }
  }

  @Test
  void unreadyPodsAreDeletedWithTheOthersIfAskedFor() {
    String node = fixture.addNode();
    fixture.worker("w1", node, "24h");
    SlinkyDrainDecider.Limits ignoring =
        new SlinkyDrainDecider.Limits(LIMITS.timeout(), LIMITS.checkInterval(), UnreadyPods.IGNORE);
    try (Drainer _ = fixture.drainer(ProcessOptions.of(RequestInterceptor.NONE), ignoring)) {
      fixture.request("unready", node);

      eventuallyAnswered("unready", COMPLETE);
    }
  }

  @Test
  void theEstimateComesFromTheEndOfJobs() {
    String node = nodeWithWorkers("w1");
    fixture.setCondition("w1", "SlurmNodeStateAllocated", "True");
    fixture
        .client()
        .pods()
        .inNamespace(SlurmFixture.SLINKY)
        .withName("w1")
        .edit(
            pod -> {
              pod.getMetadata()
                  .getAnnotations()
                  .put(
                      "nodeset.slinky.slurm.net/pod-deadline",
                      fixture.cluster().clock().instant().plusSeconds(600).toString());
              return pod;
            });
    try (Drainer _ = fixture.drainer()) {
      fixture.request("timed", node);
      eventuallyAnswered("timed", "False WaitingForSlurm");

      assertThat(String.valueOf(Objects.requireNonNull(fixture.get("timed")).getStatus().eta()))
          .startsWith("0s to 10m");
    }
  }

  @Test
  void aWaitingRequestThatIsChangedToAnotherNodeReleasesTheFirstOne() {
    String first = nodeWithWorkers("w1");
    String second = nodeWithWorkers("w2");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("moves", first);
      eventuallyAnswered("moves", "False WaitingForSlurm");
      fixture.move("moves", second);

      fixture.eventually().until(() -> fixture.reason(first), String::isEmpty);
      fixture.eventually().until(() -> !fixture.reason(second).isEmpty());
      fixture.delete("moves");
      fixture.eventually().until(() -> fixture.get("moves") == null);
      assertThat(fixture.reason(second)).isEmpty();
      assertThat(fixture.pods()).containsExactly("w1", "w2");
    }
  }

  @Test
  void aCompleteRequestThatIsChangedToAnotherNodeDrainsThatOne() {
    String first = nodeWithWorkers("w1");
    String second = nodeWithWorkers("w2");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("moves", first);
      fixture.setCondition("w1", DRAIN, "True");
      eventuallyAnswered("moves", COMPLETE);
      fixture.move("moves", second);

      fixture.eventually().until(() -> fixture.message("moves"), text -> text.contains("w2"));
      eventuallyAnswered("moves", "False WaitingForSlurm");
      assertThat(fixture.pods()).containsExactly("w2");
      fixture.setCondition("w2", DRAIN, "True");
      eventuallyAnswered("moves", COMPLETE);
      assertThat(fixture.pods()).isEmpty();
    }
  }

  @Test
  void aRequestThatBecomesTooLargeToBeKeptIsServedAndReleasedAllTheSame() {
    String node = nodeWithWorkers("w1");
    try (Drainer _ = fixture.drainer()) {
      fixture.request("grows", node);
      eventuallyAnswered("grows", "False WaitingForSlurm");
      fixture.enlarge("grows");
      try (Mock _ = fixture.mock()) {
        eventuallyAnswered("grows", COMPLETE);
      }
      fixture.delete("grows");

      fixture.eventually().until(() -> fixture.get("grows") == null);
      assertThat(fixture.pod("w1")).isEmpty();
      assertThat(fixture.reason(node)).isEmpty();
    }
  }

  @Test
  void aBugAboutOneRequestHarmsNoOther() {
    String bad = nodeWithWorkers("w1");
    String good = nodeWithWorkers("w2");
    LoopBug bug = new LoopBug().atWritesTo("/nodes/" + bad);
    try (Drainer drainer = fixture.drainer(bug);
        Mock _ = fixture.mock()) {
      fixture.request("bad", bad);
      fixture.request("good", good);

      bug.staysIn(
          "slinky-drain",
          drainer.process().kube(),
          fixture.eventually(),
          () -> {
            assertThat(fixture.answer("good", "DrainComplete")).isEqualTo(COMPLETE);
            assertThat(fixture.answer("bad", "DrainComplete")).isEmpty();
          },
          () -> assertThat(fixture.answer("bad", "DrainComplete")).isEqualTo(COMPLETE));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "drainer: custom", "drainer: slinky-drainer"})
  void theOperatorBesideItEvictsAndHoldsNothing(String drainer) {
    String node = nodeWithWorkers("w1");
    Queue<ApiCall> writes = new ConcurrentLinkedQueue<>();
    try (TestProcess operator = fixture.cluster().process(recordingWrites(writes));
        DrainEngine engine = new DrainEngine(operator.kube());
        Drainer _ = fixture.drainer()) {
      DrainRequestController.start(engine, ServedRequests.NAMED);
      fixture.request("delegated", node, drainer);
      eventuallyAnswered("delegated", "False WaitingForSlurm");
      fixture.cluster().pass(Duration.ofMinutes(10));
      try (Mock _ = fixture.mock()) {
        eventuallyAnswered("delegated", COMPLETE);
      }
      fixture.cluster().pass(Duration.ofMinutes(10));

      assertThat(writes).isEmpty();
      assertThat(fixture.node(node).getSpec().getUnschedulable()).isNotEqualTo(true);
    }
  }

  @Test
  void aRequestWhoseDrainerDoesNotRunSaysSoUntilThatTakesNotice() {
    String node = nodeWithWorkers("w1");
    try (TestProcess operator = fixture.cluster().process();
        DrainEngine engine = new DrainEngine(operator.kube())) {
      DrainRequestController.start(engine, ServedRequests.NAMED);
      fixture.request("alone", node, "drainer: slinky-drainer");
      fixture
          .eventually()
          .until(() -> fixture.answer("alone", "Served"), "False WaitingForDrainer"::equals);

      assertThat(fixture.events("alone"))
          .singleElement()
          .asString()
          .startsWith("WaitingForDrainer drainer slinky-drainer has not taken notice of it");
      assertThat(fixture.pods()).containsExactly("w1");

      try (Drainer _ = fixture.drainer();
          Mock _ = fixture.mock()) {
        eventuallyAnswered("alone", COMPLETE);
        fixture.eventually().until(() -> fixture.answer("alone", "Served"), String::isEmpty);
      }
    }
  }

  /** A definition as in tutorials: what it does not name is not kept. */
  @Test
  void worksWithADefinitionThatKeepsOnlyConditions() {
    String small =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata:
          name: drainrequests.nvsentinel.nvidia.com
        spec:
          group: nvsentinel.nvidia.com
          names: {kind: DrainRequest, listKind: DrainRequestList, plural: drainrequests, singular: drainrequest}
          scope: Namespaced
          versions:
          - name: v1alpha1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      nodeName: {type: string}
                  status:
                    type: object
                    properties:
                      conditions:
                        type: array
                        items:
                          type: object
                          x-kubernetes-preserve-unknown-fields: true
        """;
    try (SlurmFixture foreign = new SlurmFixture(TestCluster.simulated(), small)) {
      String node = foreign.addNode();
      foreign.worker("w1", node);
      try (Drainer _ = foreign.drainer();
          Mock _ = foreign.mock()) {
        foreign.request("pruned", node);
        foreign.eventually().until(() -> foreign.answer("pruned", "Complete"), COMPLETE::equals);

        assertThat(foreign.pod("w1")).isEmpty();
        assertThat(foreign.events("pruned"))
            .contains(
                "SlurmDrained slinky/w1: SlurmNodeStateDrain=True (NodeCordonedBySlinkyDrainer)");
      }
    }
  }
}

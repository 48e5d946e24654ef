package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.hold.decide.EarlierDrain;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.sim.fault.Fault;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pod that is bound to a node after its pods were listed and before it is held: the watch shows
 * it a little later, and until then the node looks empty.
 */
class PodsSinceHoldTest {
  private static final String ENGINE = "engine";
  private static final String HOLDER = "test/since-hold";

  private final Calls calls = new Calls();
  private final RecordedReports reports = new RecordedReports();
  private FaultPlan faults = FaultPlan.of();
  private final SimulatedCluster cluster =
      SimulatedCluster.stepped(
          SimulatedCluster.Settings.defaults().withHook(new Faults()),
          Instant.parse("2026-01-01T00:00:00Z"));
  private final TestCluster testCluster = TestCluster.simulated(cluster);
  private final DrainFixture fixture = new DrainFixture(testCluster, "default");
  private final DrainEngine engine = new DrainEngine(process().kube());

  private TestProcess process() {
    Config user = testCluster.config();
    user.setImpersonateUsername(ENGINE);
    return testCluster.process(ProcessOptions.of(calls).withRights(user));
  }

  @AfterEach
  void close() {
    engine.close();
    fixture.close();
  }

  /** Those that the test has chosen. */
  private final class Faults implements CallInterceptor {
    @Override
    public void before(Call call) {
      faults.before(call);
    }
  }

  /** Counts the engine's lists of pods, and does something just before one of its calls. */
  private static final class Calls implements RequestInterceptor {
    final List<String> podLists = new ArrayList<>();
    private Predicate<ApiCall> when = _ -> false;
    private Runnable then = () -> {};

    void before(Predicate<ApiCall> call, Runnable happens) {
      when = call;
      then = happens;
    }

    @Override
    public void before(ApiCall call) {
      if (when.test(call)) {
        when = _ -> false;
        then.run();
      }
    }

    @Override
    public void after(ApiCall call, int code) {
      if (call.verb() == Verb.LIST && call.path().startsWith("/api/v1/pods?")) {
        podLists.add(call.path());
      }
    }
  }

  /** The engine's lists of pods from the first of these to the last fail. */
  private void failPodLists(int first, int last) {
    faults =
        FaultPlan.of(
                IntStream.rangeClosed(first, last)
                    .mapToObj(
                        nth -> new FaultPlan.Rule(nth, "list", "pods", new Fault.Refused(500, 0)))
                    .toArray(FaultPlan.Rule[]::new))
            .forUser(ENGINE);
  }

  private DrainRun start(String node) {
    return engine.start(DrainTask.of(node, HOLDER, "a test", DrainFixture.FORCE), reports);
  }

  private void drained(DrainRun run) {
    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(run.node())).extracting(pod -> pod.getMetadata().getName()).isEmpty();
  }

  private void bind(String node) {
    assertThat(calls.podLists).as("the pods are listed already").isNotEmpty();
    try {
      var answer =
          cluster.create(
              (ObjectNode)
                  new YAMLMapper()
                      .readTree(
                          """
                          apiVersion: v1
                          kind: Pod
                          metadata: {name: late, namespace: default}
                          spec: {nodeName: %s, terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
                          """
                              .formatted(node)));
      assertThat(answer.code()).isEqualTo(201);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Predicate<ApiCall> onNode(Verb verb, String node) {
    return call -> call.verb() == verb && call.path().endsWith("/nodes/" + node);
  }

  @Test
  void aPodThatIsBoundJustBeforeTheHoldIsDrained() {
    String node = fixture.node();
    calls.before(onNode(Verb.PATCH, node), () -> bind(node));

    drained(start(node));

    assertThat(reports.granted).hasSize(1);
    assertThat(calls.podLists).as("its end is proof").hasSize(2);
  }

  @Test
  void aDrainThatIsContinuedReliesOnNoOlderListEither() {
    String node = fixture.node();
    try (DrainEngine earlier = fixture.engine()) {
      var _ = earlier.holds().place(node, Hold.of(HOLDER, "a test", fixture.now()));
    }
    calls.before(onNode(Verb.GET, node), () -> bind(node));

    drained(start(node));

    assertThat(reports.granted).hasSize(1);
  }

  @Test
  void drainsThatShareTheirWatchesListOnlyNodesThatSeemEmpty() {
    List<String> nodes = IntStream.range(0, 5).mapToObj(_ -> fixture.node()).toList();
    nodes.subList(3, 5).forEach(node -> fixture.pods(node, node, 2));
    calls.before(onNode(Verb.PATCH, nodes.get(2)), () -> bind(nodes.get(2)));

    var _ = engine.preflight(nodes);
    nodes.stream().map(this::start).toList().forEach(this::drained);

    assertThat(reports.granted).hasSize(5);
    assertThat(calls.podLists).as("of all nodes, and of three that seem empty").hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20})
  void aDrainListsPodsOnceMoreOnlyIfItRemovedNone(int pods) {
    String node = fixture.node();
    fixture.pods(node, "web", pods);

    drained(start(node));

    assertThat(calls.podLists).hasSize(pods == 0 ? 2 : 1);
  }

  @Test
  void aListThatBeginsAfterTheHoldIsEnough() {
    failPodLists(1, 1);
    String node = fixture.node();

    drained(start(node));

    assertThat(calls.podLists).as("one of them failed").hasSize(2);
  }

  @Test
  void aListThatFailsIsWaitedForAndSaysWhy() {
    failPodLists(2, 5);
    String node = fixture.node();
    DrainRun run = start(node);

    fixture.eventually().until(() -> calls.podLists.size() == 4);
    assertThat(run.outcome()).isNotDone();
    assertThat(reports.all.getLast().decision().status()).isEqualTo(Decision.Status.BLOCKED);
    assertThat(reports.blockers())
        .extracting(Blocker::facts)
        .singleElement()
        .asString()
        .startsWith("not observed yet: the pods of node " + node + " since it was held (pods of");

    drained(run);
    assertThat(calls.podLists).hasSize(6);
  }

  @Test
  void aNodeThatIsHeldAgainIsLookedAtAgain() {
    failPodLists(2, 4);
    String node = fixture.node();
    DrainRun run =
        engine.start(
            new DrainTask(
                node,
                HOLDER,
                Optional.empty(),
                "a test",
                DrainFixture.FORCE,
                true,
                false,
                EarlierDrain.NONE),
            reports);
    fixture.eventually().until(() -> calls.podLists.size() == 3);

    var _ =
        fixture
            .client()
            .nodes()
            .withName(node)
            .edit(
                each -> {
                  each.getSpec().setUnschedulable(false);
                  return each;
                });

    drained(run);
    assertThat(engine.holds().read(node).heldBy(HOLDER)).isTrue();
    assertThat(engine.holds().read(node).unschedulable()).isTrue();
  }
}

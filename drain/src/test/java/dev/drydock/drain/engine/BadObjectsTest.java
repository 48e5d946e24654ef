package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.LoopHealth;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * One object that cannot be read, or whose step runs into a bug: the others are served, health
 * names it, and it is served when it is mended, without a restart.
 */
class BadObjectsTest {
  private static final String HOLDER = "test/bad";

  private final TestCluster cluster = TestCluster.simulated();
  private final DrainFixture fixture = new DrainFixture(cluster, "default");
  private final LoopBug bug = new LoopBug();
  private final TestProcess process = fixture.process(bug);
  private final DrainEngine engine = new DrainEngine(process.kube());

  @AfterEach
  void close() {
    engine.close();
    fixture.close();
  }

  private long bugs(String loop) {
    return process.kube().health().loops().stream()
        .filter(health -> health.name().equals(loop))
        .mapToLong(LoopHealth::failures)
        .sum();
  }

  private List<String> degraded() {
    return process.kube().health().degraded();
  }

  private void assertShown(String loop, String subject) {
    assertThat(degraded()).anyMatch(line -> line.startsWith(loop + " " + subject + ": "));
  }

  private DrainRun drain(String node, DrainListener listener) {
    return engine.start(DrainTask.of(node, HOLDER, "a test", DrainFixture.FORCE), listener);
  }

  @Test
  void aBugAboutTheReleaseOfOneCordHoldsUpNoOther() {
    AndonCord bad = new AndonCord(process.kube(), "default");
    AndonCord good = new AndonCord(process.kube(), "kube-system");
    DrainEngine other = new DrainEngine(process.kube());
    bug.at(call -> call.path().endsWith("/namespaces/default"));
    var _ = bad.pull("a test", "smoke");
    var _ = good.pull("a test", "smoke");
    bad.govern(engine, () -> {});
    good.govern(other, () -> {});
    cluster
        .eventually()
        .until(
            () ->
                engine.stopped().orElse("").contains("smoke")
                    && other.stopped().orElse("").contains("smoke"));
    assertThat(bad.release()).isTrue();
    assertThat(good.release()).isTrue();

    bug.staysIn(
        "andon-releases",
        process.kube(),
        cluster.eventually(),
        () -> {
          assertThat(other.stopped()).isEmpty();
          assertThat(engine.stopped()).isPresent();
        },
        () -> assertThat(engine.stopped()).isEmpty());
    other.close();
  }

  @Test
  void aBugInTheStepOfADrainHoldsUpNoOtherAndDoesNotEndIt() {
    String bad = fixture.node();
    String good = fixture.node();
    fixture.pods(bad, "bad", 2);
    fixture.pods(good, "good", 2);

    DrainRun stuck = drain(bad, _ -> bug.strike());
    DrainRun other = drain(good, DrainListener.NONE);

    bug.staysIn(
        "drain",
        process.kube(),
        fixture.eventually(),
        () -> {
          assertShown("drain", bad);
          assertThat(other.outcome())
              .isCompletedWithValueMatching(outcome -> outcome.end() == End.DONE);
          assertThat(stuck.outcome()).isNotDone();
        },
        () ->
            assertThat(stuck.outcome())
                .isCompletedWithValueMatching(outcome -> outcome.end() == End.DONE));
  }

  @Test
  void aBugAboutTheHoldOfADrainHoldsUpNoOtherAndEvictsNothing() {
    String bad = fixture.node();
    String good = fixture.node();
    fixture.pods(bad, "bad", 2);
    fixture.pods(good, "good", 2);
    bug.atWritesTo("/" + bad);

    DrainRun stuck = drain(bad, DrainListener.NONE);
    DrainRun other = drain(good, DrainListener.NONE);

    bug.staysIn(
        "drain-hold",
        process.kube(),
        fixture.eventually(),
        () -> {
          assertShown("drain-hold", bad);
          assertThat(other.outcome())
              .isCompletedWithValueMatching(outcome -> outcome.end() == End.DONE);
          assertThat(stuck.outcome()).isNotDone();
          assertThat(fixture.podsOn(bad)).hasSize(2);
        },
        () ->
            assertThat(stuck.outcome())
                .isCompletedWithValueMatching(outcome -> outcome.end() == End.DONE));
  }

  @Test
  void aBugAboutOneHeldNodeHoldsUpNoOther() {
    String bad = fixture.node();
    String unreadable = fixture.node();
    String good = fixture.node();
    Hold over = Hold.of(HOLDER, "a test", fixture.now()).until(fixture.now().plusSeconds(1));
    List.of(bad, good).forEach(node -> engine.holds().place(node, over));
    annotate(unreadable, "mine");
    bug.atWritesTo("/" + bad);

    DrainFixture.keepHolds(engine, List.of(DrainRequestController.HOLD_OWNER));

    fixture
        .eventually()
        .until(() -> degraded().stream().anyMatch(line -> line.startsWith("holds " + unreadable)));
    annotate(unreadable, "{}");
    bug.staysIn(
        "holds",
        process.kube(),
        fixture.eventually(),
        () -> {
          assertShown("holds", bad);
          assertThat(isCordoned(good)).isFalse();
          assertThat(isCordoned(bad)).isTrue();
        },
        () -> assertThat(isCordoned(bad)).isFalse());
  }

  @Test
  void aHoldsOwnerThatIsNoNameHoldsUpNoOtherHoldAndNoOtherNode() {
    String bad = fixture.node();
    String good = fixture.node();
    Hold over = Hold.of(HOLDER, "a test", fixture.now()).until(fixture.now().plusSeconds(1));
    List.of(bad, good).forEach(node -> engine.holds().place(node, over));
    for (String odd : List.of("drainrequest/a b/c", "drainrequest/a%zz/c", "drainrequest/x/..")) {
      engine.holds().place(bad, Hold.of(odd, "a test", fixture.now()));
    }

    DrainFixture.keepHolds(engine, List.of(DrainRequestController.HOLD_OWNER));

    fixture.eventually().until(() -> !isCordoned(good) && !isCordoned(bad));
    assertThat(degraded()).isEmpty();
    assertThat(bugs("holds")).isZero();
  }

  private boolean isCordoned(String node) {
    return Boolean.TRUE.equals(fixture.read(node).getSpec().getUnschedulable());
  }

  private void annotate(String node, String holds) {
    fixture
        .client()
        .nodes()
        .withName(node)
        .edit(
            seen -> {
              seen.getMetadata().getAnnotations().put(HoldsAnnotation.NAME, holds);
              return seen;
            });
  }

  @Test
  void aRequestThatCannotBeReadOrServedHoldsUpNoOther() {
    define();
    DrainRequestController.start(engine, ServedRequests.NAMED);
    String node = fixture.node();
    request("unreadable", fixture.node(), "policy: {force: nonsense}");
    request("buggy", fixture.node(), "policy: {}");
    bug.atWritesTo("/buggy");
    request("good", node, "policy: {}");

    fixture.eventually().until(() -> isCordoned(node));
    fixture.eventually().until(() -> reason("good").equals("NoPods"));
    fixture.eventually().until(() -> reason("unreadable").equals("InvalidRequest"));

    edit("unreadable", Map.of("force", true));
    bug.staysIn(
        "drainrequest",
        process.kube(),
        fixture.eventually(),
        () ->
            assertThat(List.of(reason("good"), reason("unreadable"), reason("buggy")))
                .containsExactly("NoPods", "NoPods", ""),
        () -> assertThat(reason("buggy")).isEqualTo("NoPods"));
  }

  @Test
  void aRequestThatIsTooLargeToBeKeptSaysSoHoldsUpNoOtherAndIsServedWhenItIsNot() {
    define();
    DrainRequestController.start(engine, ServedRequests.NAMED);
    String node = fixture.node();
    request("huge", fixture.node(), "reason: " + "x".repeat(70_000));
    request("good", node, "policy: {}");

    fixture.eventually().until(() -> reason("good").equals("NoPods"));
    fixture.eventually().until(() -> reason("huge").equals("InvalidRequest"));
    assertThat(requests().withName("huge").require().toString())
        .contains("too large: ", "KiB, at most 64 KiB; make its spec smaller");
    assertThat(degraded()).isEmpty();

    requests()
        .withName("huge")
        .edit(
            seen -> {
              seen.<Map<String, Object>>get("spec").remove("reason");
              return seen;
            });
    fixture.eventually().until(() -> reason("huge").equals("NoPods"));
  }

  @Test
  void aRequestThatBecomesTooLargeIsReleasedWhenItIsDeleted() {
    define();
    DrainRequestController.start(engine, ServedRequests.NAMED);
    String node = fixture.node();
    request("grows", node, "policy: {}");
    fixture.eventually().until(() -> reason("grows").equals("NoPods"));
    requests()
        .withName("grows")
        .edit(
            seen -> {
              seen.<Map<String, Object>>get("spec").put("reason", "x".repeat(70_000));
              return seen;
            });
    fixture.eventually().until(() -> reason("grows").equals("InvalidRequest"));
    assertThat(isCordoned(node)).isTrue();

    requests().withName("grows").delete();

    fixture.eventually().until(() -> requests().withName("grows").get() == null);
    assertThat(isCordoned(node)).isFalse();
  }

  @Test
  void aRequestThatBecomesUnreadableIsNotGone() {
    define();
    DrainRequestController.start(engine, ServedRequests.NAMED);
    String node = fixture.node();
    request("once-good", node, "policy: {}");
    fixture.eventually().until(() -> reason("once-good").equals("NoPods"));

    edit("once-good", Map.of("force", "nonsense"));

    fixture.eventually().until(() -> reason("once-good").equals("InvalidRequest"));
    cluster.pass(Duration.ofMinutes(5));
    assertThat(isCordoned(node)).isTrue();
  }

  /** As somebody else may have defined it: anything goes. */
  private void define() {
    load(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: drainrequests.nvsentinel.nvidia.com}
        spec:
          group: nvsentinel.nvidia.com
          scope: Namespaced
          names: {plural: drainrequests, singular: drainrequest, kind: DrainRequest, listKind: DrainRequestList}
          versions:
          - name: v1alpha1
            served: true
            storage: true
            subresources: {status: {}}
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """);
    fixture.eventually().until(() -> requests().list() != null);
  }

  private void load(String yaml) {
    fixture.client().load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
  }

  private void request(String name, String node, String more) {
    load(
        """
        apiVersion: nvsentinel.nvidia.com/v1alpha1
        kind: DrainRequest
        metadata:
          name: %s
          namespace: default
          annotations: {drydock.dev/drainer: builtin}
        spec: {nodeName: %s, %s}
        """
            .formatted(name, node, more));
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      requests() {
    return fixture
        .client()
        .genericKubernetesResources("nvsentinel.nvidia.com/v1alpha1", "DrainRequest")
        .inNamespace("default");
  }

  private void edit(String name, Map<String, Object> policy) {
    requests()
        .withName(name)
        .edit(
            request -> {
              request.<Map<String, Object>>get("spec").put("policy", policy);
              return request;
            });
  }

  private String reason(String name) {
    GenericKubernetesResource request = requests().withName(name).require();
    List<Map<String, Object>> conditions = request.get("status", "conditions");
    return conditions == null
        ? ""
        : String.valueOf(
            conditions.stream()
                .filter(condition -> "DrainComplete".equals(condition.get("type")))
                .map(condition -> condition.get("reason"))
                .findFirst()
                .orElse(""));
  }
}

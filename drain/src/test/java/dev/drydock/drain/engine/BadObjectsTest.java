package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.LoopHealth;
import dev.drydock.kube.RequestInterceptor;
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
import java.util.concurrent.atomic.AtomicReference;
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
  private final AtomicReference<String> broken = new AtomicReference<>("nothing is");
  private final TestProcess process =
      fixture.process(
          new RequestInterceptor() {
            @Override
            public void before(ApiCall call) {
              boolean writes = call.verb() == ApiCall.Verb.PATCH;
              if (writes && call.path().contains("/" + broken.get())) {
                throw new IllegalStateException("a bug about " + broken.get());
              }
            }

            @Override
            public void after(ApiCall call, int code) {}
          });
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

  private void awaitBug(String loop, String subject) {
    fixture
        .eventually()
        .untilAsserted(
            () -> {
              assertThat(bugs(loop)).isPositive();
              assertThat(degraded()).anyMatch(line -> line.startsWith(loop + " " + subject + ": "));
            });
  }

  private DrainRun drain(String node, DrainListener listener) {
    return engine.start(DrainTask.of(node, HOLDER, "a test", DrainFixture.FORCE), listener);
  }

  @Test
  void aBugInTheStepOfADrainHoldsUpNoOtherAndDoesNotEndIt() {
    String bad = fixture.node();
    String good = fixture.node();
    fixture.pods(bad, "bad", 2);
    fixture.pods(good, "good", 2);
    broken.set(bad);

    DrainRun stuck =
        drain(
            bad,
            report -> {
              if (broken.get().equals(bad)) {
                throw new IllegalStateException("a bug of a listener");
              }
            });
    DrainRun other = drain(good, DrainListener.NONE);

    assertThat(fixture.end(other).end()).isEqualTo(End.DONE);
    awaitBug("drain", bad);
    awaitBug("drain-hold", bad);
    assertThat(stuck.outcome()).isNotDone();
    assertThat(fixture.podsOn(bad)).hasSize(2);
    broken.set("nothing is");
    assertThat(fixture.end(stuck).end()).isEqualTo(End.DONE);
    assertThat(degraded()).isEmpty();
  }

  @Test
  void aBugAboutOneHeldNodeHoldsUpNoOther() {
    String bad = fixture.node();
    String unreadable = fixture.node();
    String good = fixture.node();
    Hold over = Hold.of(HOLDER, "a test", fixture.now()).until(fixture.now().plusSeconds(1));
    List.of(bad, good).forEach(node -> engine.holds().place(node, over));
    annotate(unreadable, "mine");
    broken.set(bad);

    DrainFixture.keepHolds(engine, List.of(DrainRequestController.HOLD_OWNER));

    fixture.eventually().until(() -> !isCordoned(good));
    awaitBug("holds", bad);
    fixture
        .eventually()
        .until(() -> degraded().stream().anyMatch(line -> line.startsWith("holds " + unreadable)));
    assertThat(isCordoned(bad)).isTrue();
    broken.set("nothing is");
    annotate(unreadable, "{}");
    fixture.eventually().until(() -> !isCordoned(bad) && degraded().isEmpty());
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
    broken.set("buggy");
    request("good", node, "policy: {}");

    fixture.eventually().until(() -> isCordoned(node));
    fixture.eventually().until(() -> reason("good").equals("NoPods"));
    fixture.eventually().until(() -> bugs("drainrequest") > 0);
    assertThat(degraded())
        .anyMatch(line -> line.contains("default/unreadable cannot be read"))
        .anyMatch(line -> line.contains("a bug about buggy"));
    assertThat(reason("buggy")).isEmpty();

    broken.set("nothing is");
    edit("unreadable", Map.of("force", true));
    fixture
        .eventually()
        .until(() -> reason("buggy").equals("NoPods") && reason("unreadable").equals("NoPods"));
    assertThat(degraded()).isEmpty();
  }

  @Test
  void aRequestThatBecomesUnreadableIsNotGone() {
    define();
    DrainRequestController.start(engine, ServedRequests.NAMED);
    String node = fixture.node();
    request("once-good", node, "policy: {}");
    fixture.eventually().until(() -> reason("once-good").equals("NoPods"));

    edit("once-good", Map.of("force", "nonsense"));

    fixture.eventually().until(() -> !degraded().isEmpty());
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

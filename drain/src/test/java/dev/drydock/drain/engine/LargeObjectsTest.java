package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.drain.engine.DrainEstimates.Estimate;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Objects as large and as many as the API server accepts them from a tenant: drains go on, and
 * whoever deletes a request is obeyed.
 */
class LargeObjectsTest {
  private static final String FORCED =
      "policy: {force: true, deadlineSeconds: 25, atDeadline: ForceDelete}";

  private final TestCluster cluster = TestCluster.simulated();
  private final DrainFixture fixture = new DrainFixture(cluster, "default");
  private final TestProcess process = fixture.process(RequestInterceptor.NONE);
  private final DrainEngine engine = new DrainEngine(process.kube());
  private final DrainRequestFixture requests = fixture.requests();

  @AfterEach
  void close() {
    engine.close();
    fixture.close();
  }

  private Pod pod(String node, String name, Map<String, String> labels) {
    return fixture
        .client()
        .pods()
        .inNamespace("default")
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build())
        .create();
  }

  /** That allows no eviction. */
  private void budget(String namespace, String name, LabelSelector selector) {
    fixture
        .client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(namespace)
        .resource(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(0))
                .withSelector(selector)
                .endSpec()
                .build())
        .create();
  }

  private static LabelSelector app(String value) {
    return new LabelSelectorBuilder().addToMatchLabels("app", value).build();
  }

  /** Takes about 60 KiB, and selects none of the pods. */
  private static LabelSelector many(int budget) {
    return new LabelSelectorBuilder()
        .addNewMatchExpression()
        .withKey("app")
        .withOperator("In")
        .withValues(
            IntStream.range(0, 480).mapToObj(i -> "v-%d-%053d".formatted(budget, i)).toList())
        .endMatchExpression()
        .build();
  }

  /** More than is kept. */
  private void grow(String pod) {
    fixture
        .client()
        .pods()
        .inNamespace("default")
        .withName(pod)
        .edit(
            seen -> {
              for (int i = 0; i < 1_000; i++) {
                seen.getMetadata().getLabels().put("label-" + i, "v");
              }
              return seen;
            });
  }

  private List<DrainRequestStatus.Blocker> blockers(String request) {
    return Objects.requireNonNullElse(requests.status(request).blockers(), List.of());
  }

  @Test
  void anyNumberOfBlockersWithLongNamesNeitherHidesTheEndOfADrainNorKeepsItsNodeHeld() {
    String node = fixture.node();
    for (int i = 0; i < 70; i++) {
      String name = "p".repeat(180) + "-" + i;
      pod(node, name, Map.of("app", "guarded-" + i));
      budget("default", name, app("guarded-" + i));
    }
    cluster.pass(Duration.ofSeconds(5));
    DrainFixture.serve(engine);

    requests.request("many", node, FORCED);
    requests.awaitComplete("many", "False Blocked");
    cluster.pass(Duration.ofSeconds(5));
    assertThat(blockers("many")).hasSizeBetween(2, 21);
    assertThat(blockers("many").getLast().message()).matches("and \\d+ more");
    assertThat(blockers("many").toString()).hasSizeLessThan(30_000);
    assertThat(requests.status("many").podsLeft()).isEqualTo(70);

    requests.awaitComplete("many", "True DrainComplete");
    assertThat(requests.status("many").podsGone()).isEqualTo(70);
    requests.all().withName("many").delete();
    requests.awaitGone("many");
    assertThat(requests.schedulable(node)).isTrue();
  }

  @Test
  void aRequestThatIsDeletedEvictsNobodyMoreHoweverMuchIsWrittenOnIt() {
    DrainFixture.serve(engine);
    String node = requests.blocked("annotated", 2);
    requests
        .all()
        .withName("annotated")
        .edit(
            seen -> {
              Map<String, String> notes = new HashMap<>();
              for (int i = 0; i < 12; i++) {
                notes.put("tenant.example/note-" + i, "x".repeat(8_000));
              }
              seen.getMetadata().setAnnotations(notes);
              return seen;
            });
    cluster.pass(Duration.ofSeconds(5));

    requests.all().withName("annotated").delete();
    fixture
        .client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace("default")
        .withName("keep")
        .delete();

    requests.awaitGone("annotated");
    cluster.pass(Duration.ofMinutes(1));
    assertThat(fixture.podsOn(node)).hasSize(2);
    assertThat(requests.schedulable(node)).isTrue();
  }

  @Test
  void aRequestWithTooManyFinalizersEvictsNobodyUntilItHasFewer() {
    DrainFixture.serve(engine);
    String node = requests.blocked("clogged", 2);
    List<String> finalizers = requests.read("clogged").getMetadata().getFinalizers();
    requests.finalizers(
        "clogged",
        Stream.concat(
                finalizers.stream(),
                IntStream.range(0, 1_000).mapToObj("tenant.example/%060d"::formatted))
            .toArray(String[]::new));
    fixture.eventually().until(() -> !process.kube().health().degraded().isEmpty());
    requests.all().withName("clogged").delete();
    fixture
        .client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace("default")
        .withName("keep")
        .delete();
    cluster.pass(Duration.ofMinutes(5));
    assertThat(fixture.podsOn(node)).hasSize(2);
    assertThat(requests.schedulable(node)).isFalse();

    requests.finalizers("clogged", finalizers.toArray(String[]::new));

    requests.awaitGone("clogged");
    assertThat(fixture.podsOn(node)).hasSize(2);
    assertThat(requests.schedulable(node)).isTrue();
  }

  @Test
  void aPodThatIsTooLargeToBeKeptIsDrainedLikeAnyOther() {
    String node = fixture.node();
    fixture.pods(node, "good", 1);
    pod(node, "huge", Map.of("app", "huge"));
    grow("huge");
    DrainFixture.serve(engine);

    requests.request("drain", node, DrainRequestFixture.FORCE);

    requests.awaitComplete("drain", "True DrainComplete");
    assertThat(fixture.podsOn(node)).isEmpty();
    assertThat(requests.status("drain").podsGone()).isEqualTo(2);
  }

  @Test
  void aBudgetOfAPodThatIsTooLargeIsKeptByTheApiServerAndPassedAtTheDeadlineOnly() {
    String node = fixture.node();
    pod(node, "huge", Map.of("app", "huge"));
    budget("default", "huge", app("huge"));
    budget("default", "other", app("other"));
    grow("huge");
    cluster.pass(Duration.ofSeconds(5));
    DrainFixture.serve(engine);

    requests.request("drain", node, FORCED);

    requests.awaitComplete("drain", "False Blocked");
    cluster.pass(Duration.ofSeconds(10));
    assertThat(fixture.podsOn(node)).hasSize(1);
    assertThat(requests.status("drain").podsLeft()).isEqualTo(1);
    assertThat(blockers("drain"))
        .anyMatch(blocker -> List.of("default/huge").equals(blocker.pods()));
    requests.awaitComplete("drain", "True DrainComplete");
    assertThat(fixture.podsOn(node)).isEmpty();
  }

  @Test
  void anEstimateCountsAPodThatIsTooLargeToBeKept() {
    String node = fixture.node();
    pod(node, "huge", Map.of("app", "huge"));
    grow("huge");
    try (DrainEstimates estimates = new DrainEstimates(process.kube(), () -> {})) {
      estimates.start();
      fixture.eventually().until(() -> estimates.unknown().isEmpty());

      Estimate estimate = estimates.estimate(node, DrainFixture.FORCE, fixture.now());

      assertThat(estimate.eta().atMost()).contains(Duration.ofSeconds(1));
    }
  }

  @Test
  void budgetsThatAreTooManyAndTooLargeLeaveThoseOfOtherNamespacesAndTheirPodsAlone() {
    String node = fixture.node();
    var _ =
        fixture
            .client()
            .namespaces()
            .resource(
                new NamespaceBuilder().withNewMetadata().withName("tenant").endMetadata().build())
            .create();
    for (int i = 0; i < 40; i++) {
      budget("tenant", "large-" + i, many(i));
    }
    fixture
        .client()
        .pods()
        .inNamespace("tenant")
        .resource(
            new PodBuilder(pod(node, "unguarded", Map.of("app", "unguarded")))
                .editMetadata()
                .withNamespace("tenant")
                .withResourceVersion(null)
                .withUid(null)
                .endMetadata()
                .withStatus(null)
                .build())
        .create();
    fixture.pods(node, "guarded", 1);
    fixture.budget("keep", "guarded", 1);

    DrainRun run =
        engine.start(
            DrainTask.of(node, "test/large", "a test", DrainFixture.FORCE), DrainListener.NONE);
    cluster.pass(Duration.ofMinutes(1));

    assertThat(process.kube().health().degraded())
        .anyMatch(line -> line.contains("more than is kept, in 1 namespaces: tenant"));
    assertThat(fixture.client().pods().inNamespace("tenant").list().getItems()).isEmpty();
    assertThat(fixture.podsOn(node))
        .singleElement()
        .satisfies(pod -> assertThat(pod.getMetadata().getName()).isEqualTo("guarded-0"));
    fixture
        .client()
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace("default")
        .withName("keep")
        .delete();
    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
  }

  @Test
  void aPodThatOnlyClaimsToBeAStaticOneIsDrained() {
    String node = fixture.node();
    mirror(node, "forged");
    mirror(
        node,
        "static",
        new OwnerReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(node)
            .withUid(fixture.read(node).getMetadata().getUid())
            .withController(true)
            .build());
    assertThat(engine.left(node, DrainFixture.FORCE)).containsExactly("default/forged");

    DrainRun run =
        engine.start(
            DrainTask.of(node, "test/mirror", "a test", DrainFixture.FORCE), DrainListener.NONE);

    assertThat(fixture.end(run).end()).isEqualTo(End.DONE);
    assertThat(fixture.podsOn(node))
        .singleElement()
        .satisfies(pod -> assertThat(pod.getMetadata().getName()).isEqualTo("static"));
  }

  private void mirror(String node, String name, OwnerReference... owners) {
    fixture
        .client()
        .pods()
        .inNamespace("default")
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("kubernetes.io/config.mirror", "abc")
                .withOwnerReferences(owners)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build())
        .create();
  }

  @Test
  void aNodeThatIsDeletedAndCreatedAgainIsHeldAgainForItsRequest() {
    DrainFixture.serve(engine);
    String node = requests.blocked("again", 2);
    Node before = fixture.read(node);

    fixture.client().nodes().withName(node).delete();
    Node after =
        new NodeBuilder()
            .withNewMetadata()
            .withName(node)
            .withLabels(before.getMetadata().getLabels())
            .endMetadata()
            .build();
    fixture.client().nodes().resource(after).create();

    fixture.eventually().until(() -> !requests.schedulable(node));
    cluster.pass(Duration.ofSeconds(30));
    assertThat(requests.complete("again")).isEqualTo("False Blocked");
    requests.all().withName("again").delete();
    requests.awaitGone("again");
    assertThat(requests.schedulable(node)).isTrue();
  }
}

package dev.drydock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.CompletionObject;
import dev.drydock.kube.CompletionObject.Progress;
import dev.drydock.kube.CompletionObjects;
import dev.drydock.kube.Json;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects of any kind that tell by a condition when they are done; here pods. */
class CompletionObjectsTest {
  private static final CompletionObjects.Markers MARKS =
      new CompletionObjects.Markers("example.com/owner", "example.com/subject", "example.com/keep");
  private static final CompletionObjects.Owner OWNER =
      new CompletionObjects.Owner(
          "uid-1", "elsewhere", Json.object().put("apiVersion", "v1").put("kind", "ConfigMap"));

  private final TestCluster cluster = TestCluster.simulated();
  private final List<String> changed = new ArrayList<>();
  private final CompletionObjects objects =
      new CompletionObjects(cluster.process().kube(), MARKS, changed::add);

  @AfterEach
  void close() {
    objects.close();
    cluster.close();
  }

  private static CompletionObject pod(String name, String... apiVersions) {
    ObjectNode body = Json.object().put("kind", "Pod");
    ObjectNode metadata = body.putObject("metadata").put("name", name).put("namespace", "default");
    metadata.putObject("labels").put(MARKS.owner(), OWNER.uid());
    metadata.putObject("annotations").put(MARKS.subject(), "node-1");
    metadata.putArray("finalizers").add(MARKS.finalizer());
    body.putObject("spec").putArray("containers").addObject().put("name", "c").put("image", "i");
    return new CompletionObject(
        List.of(apiVersions),
        "Pod",
        "default",
        body,
        new CompletionObject.Completion("Done", Set.of("Hopeless")));
  }

  private void condition(String name, String status, String reason) {
    cluster
        .client()
        .pods()
        .inNamespace("default")
        .withName(name)
        .editStatus(
            pod ->
                new PodBuilder(pod)
                    .editOrNewStatus()
                    .withConditions(
                        new PodConditionBuilder()
                            .withType("Done")
                            .withStatus(status)
                            .withReason(reason)
                            .withMessage("in words")
                            .build())
                    .endStatus()
                    .build());
  }

  private Progress progress(CompletionObject wanted) {
    return objects.progress(OWNER, wanted);
  }

  @Test
  void isCreatedFollowedAndDeleted() {
    CompletionObject wanted = pod("one", "v1");
    assertThat(progress(wanted)).isEqualTo(new Progress.Unknown(""));
    cluster.eventually().until(() -> progress(wanted).equals(new Progress.Absent()));

    objects.create(OWNER, wanted);
    objects.create(OWNER, wanted);
    cluster
        .eventually()
        .until(
            () ->
                progress(wanted) instanceof Progress.Pending pending && pending.reason().isEmpty());
    assertThat(changed).endsWith("node-1");
    condition("one", "False", "Working");
    cluster
        .eventually()
        .until(
            () ->
                progress(wanted) instanceof Progress.Pending pending
                    && pending.reason().equals("Working"));
    condition("one", "False", "Hopeless");
    cluster
        .eventually()
        .until(
            () ->
                progress(wanted) instanceof Progress.Failed failed
                    && failed.message().equals("in words"));
    condition("one", "True", "Finished");
    cluster.eventually().until(() -> progress(wanted) instanceof Progress.Complete);
    assertThat(objects.find(OWNER, wanted)).isPresent();

    objects.delete(OWNER, wanted);
    objects.delete(OWNER, wanted);
    cluster.pass(Duration.ofMinutes(2));
    assertThat(progress(wanted)).isEqualTo(new Progress.Absent());
    assertThat(cluster.client().pods().inNamespace("default").list().getItems()).isEmpty();
  }

  @Test
  void anObjectCountsByItsNamespaceAndItsOwnerWhateverItsLabelSays() {
    CompletionObjects.Owner here =
        new CompletionObjects.Owner(
            OWNER.uid(),
            "default",
            Json.object()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("name", "owner")
                .put("uid", OWNER.uid()));
    CompletionObject wanted = pod("one", "v1");
    assertThat(objects.progress(here, wanted)).isEqualTo(new Progress.Unknown(""));
    cluster.eventually().until(() -> objects.progress(here, wanted).equals(new Progress.Absent()));

    // Somebody else's, which only has the label; its owner would be in another namespace.
    objects.create(OWNER, wanted);
    condition("one", "True", "Finished");
    cluster.eventually().until(() -> progress(wanted) instanceof Progress.Complete);

    assertThat(objects.progress(here, wanted)).isEqualTo(new Progress.Absent());
    assertThatThrownBy(() -> objects.create(here, wanted))
        .hasMessageContaining("Pod default/one already exists and has another owner");
    objects.delete(here, wanted);
    assertThat(cluster.client().pods().inNamespace("default").withName("one").get()).isNotNull();
  }

  @Test
  void theFirstApiVersionThatTheClusterServesIsUsed() {
    CompletionObject wanted = pod("one", "nowhere.example/v1", "v1");

    objects.create(OWNER, wanted);

    assertThat(cluster.client().pods().inNamespace("default").withName("one").require())
        .isNotNull();
  }

  @Test
  void aKindThatTheClusterDoesNotKnowIsToldAndHasNothingToDelete() {
    CompletionObject wanted = pod("one", "nowhere.example/v1");

    assertThatThrownBy(() -> objects.create(OWNER, wanted))
        .isInstanceOf(ApiFailure.class)
        .hasMessage(
            "the cluster does not serve Pod of nowhere.example/v1;"
                + " install its CRD or correct the template");
    objects.delete(OWNER, wanted);
    assertThat(objects.find(OWNER, wanted)).isEmpty();
  }

  @Test
  void anothersObjectIsNeitherTakenNorDeleted() {
    CompletionObject wanted = pod("one", "v1");
    objects.create(OWNER, wanted);
    CompletionObjects.Owner another =
        new CompletionObjects.Owner("uid-2", "elsewhere", Json.object());

    assertThatThrownBy(() -> objects.create(another, wanted))
        .hasMessage("Pod default/one already exists and has another owner; delete it");
    objects.delete(another, wanted);
    assertThat(cluster.client().pods().inNamespace("default").withName("one").get()).isNotNull();
  }

  private static CompletionObject configMap(String name) {
    ObjectNode body = Json.object().put("kind", "ConfigMap");
    ObjectNode metadata = body.putObject("metadata").put("name", name).put("namespace", "default");
    metadata.putObject("labels").put(MARKS.owner(), OWNER.uid());
    return new CompletionObject(
        List.of("v1"),
        "ConfigMap",
        "default",
        body,
        new CompletionObject.Completion("Done", Set.of()));
  }

  private boolean hasConfigMap(String name) {
    return cluster.client().configMaps().inNamespace("default").withName(name).get() != null;
  }

  @Test
  void allThatWasMadeForAnOwnerGoesWhateverIsWantedNow() {
    objects.create(OWNER, pod("one", "v1"));
    objects.create(OWNER, configMap("one"));
    objects.create(OWNER, configMap("of-another-name"));
    cluster.eventually().until(() -> objects.find(OWNER, configMap("one")).isPresent());

    objects.deleteAll(OWNER, List.of(pod("one", "nowhere.example/v1", "v1")));

    cluster.pass(Duration.ofMinutes(2));
    assertThat(cluster.client().pods().inNamespace("default").list().getItems()).isEmpty();
    assertThat(hasConfigMap("one")).as("its kind was asked for before").isFalse();
    assertThat(hasConfigMap("of-another-name")).as("only has the label").isTrue();
  }

  @Test
  void nothingOfAnotherOwnerGoesWithAllOfOne() {
    objects.create(OWNER, pod("one", "v1"));
    objects.create(OWNER, configMap("one"));
    cluster.eventually().until(() -> objects.find(OWNER, configMap("one")).isPresent());

    objects.deleteAll(
        new CompletionObjects.Owner("uid-2", "elsewhere", Json.object()),
        List.of(pod("one", "v1")));

    cluster.pass(Duration.ofMinutes(2));
    assertThat(objects.find(OWNER, pod("one", "v1"))).isPresent();
    assertThat(hasConfigMap("one")).isTrue();
  }

  @Test
  void placeholdersAreFilledInAllTexts() {
    ObjectNode template = Json.object().put("a", "${node}-${id}").put("n", 3);
    template.putArray("list").add("x ${node}").addObject().put("b", "${other}");

    assertThat(CompletionObject.fill(template, Map.of("node", "n1", "id", "7")))
        .hasToString("{\"a\":\"n1-7\",\"n\":3,\"list\":[\"x n1\",{\"b\":\"${other}\"}]}");
    assertThat(template.path("a").asText()).isEqualTo("${node}-${id}");
  }
}

package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.BudgetFacts.UnhealthyPods;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodDevices;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadersTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-02T03:04:05Z",
        "2024-02-29T23:59:59Z",
        "1969-12-31T23:59:59Z",
        "2026-01-02T03:04:05.123456Z",
        "2026-01-02T03:04:05+02:00"
      })
  void timesAreReadAsTheGeneralParserDoes(String text) {
    assertThat(Fields.time(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-13-02T03:04:05Z",
        "2026-02-30T03:04:05Z",
        "2026-01-02T03:04:65Z",
        "2026-01-0aT03:04:05Z"
      })
  void whatIsNoTimeIsNotTakenForOne(String text) {
    assertThatThrownBy(() -> Fields.time(text)).isInstanceOf(DateTimeException.class);
  }

  @Test
  void readsAllOfAPod() throws IOException {
    String pod =
        """
        {"metadata": {"namespace": "ns", "name": "web-1", "uid": "u1",
           "creationTimestamp": "2026-01-01T00:00:00Z",
           "deletionTimestamp": "2026-01-02T00:00:30Z", "deletionGracePeriodSeconds": 30,
           "labels": {"app": "web", "images": "kept"}, "finalizers": ["x/y"],
           "annotations": {"kubernetes.io/config.mirror": "abc"},
           "managedFields": [{"manager": "m"}],
           "ownerReferences": [
             {"apiVersion": "v1", "kind": "Other", "name": "no", "uid": "o0"},
             {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "o1",
              "controller": true}]},
         "spec": {"nodeName": "n1", "priority": 7, "terminationGracePeriodSeconds": 45,
           "activeDeadlineSeconds": 600, "containers": [{"name": "c"}],
           "volumes": [{"name": "a", "hostPath": {}}, {"name": "b", "emptyDir": {}}]},
         "status": {"phase": "Running", "startTime": "2026-01-01T00:00:05Z",
           "conditions": [{"type": "Ready", "status": "True"}]}}""";

    assertThat(PodReader.read(Json.read(pod)))
        .isEqualTo(
            PodFacts.named("ns", "web-1", "u1")
                .on("n1")
                .labels(Map.of("app", "web", "images", "kept"))
                .phase(PodFacts.Phase.RUNNING)
                .ready(true)
                .terminating(Instant.parse("2026-01-02T00:00:30Z"), Duration.ofSeconds(30))
                .finalizers(List.of("x/y"))
                .controller(new Owner("apps/v1", "ReplicaSet", "web", "o1"))
                .mirror(true)
                .emptyDir(true)
                .priority(7)
                .terminationGrace(Duration.ofSeconds(45))
                .created(Instant.parse("2026-01-01T00:00:00Z"))
                .started(Instant.parse("2026-01-01T00:00:05Z"))
                .activeDeadline(Duration.ofMinutes(10))
                .build());
  }

  @Test
  void podsOfAControllerShareWhatTheyRepeat() throws IOException {
    String pod =
        """
        {"metadata": {"namespace": "ns", "name": "%s", "uid": "%s", "labels": {"app": "web"},
           "finalizers": ["x/y"],
           "ownerReferences": [{"kind": "ReplicaSet", "name": "web", "uid": "o", "controller": true}]},
         "spec": {"nodeName": "n1"}}""";
    PodFacts one = PodReader.read(Json.read(pod.formatted("a", "u1")));
    PodFacts other = PodReader.read(Json.read(pod.formatted("b", "u2")));

    assertThat(other.ref().namespace()).isSameAs(one.ref().namespace());
    assertThat(other.nodeName()).isSameAs(one.nodeName());
    assertThat(other.labels()).isSameAs(one.labels());
    assertThat(other.finalizers()).isSameAs(one.finalizers());
    assertThat(other.controller().orElseThrow()).isSameAs(one.controller().orElseThrow());
  }

  @Test
  void readsAPodThatSaysNextToNothing() throws IOException {
    PodFacts pod =
        PodReader.read(
            Json.read(
                """
                {"metadata": {"namespace": "ns", "name": "p", "uid": "u"},
                 "status": {"phase": "Pending", "conditions": [{"type": "Ready", "status": "False"}]}}"""));

    assertThat(pod)
        .isEqualTo(
            PodFacts.named("ns", "p", "u").phase(PodFacts.Phase.PENDING).ready(false).build());
  }

  @Test
  void readsABudget() throws IOException {
    String budget =
        """
        {"metadata": {"namespace": "ns", "name": "b", "resourceVersion": "9", "generation": 3},
         "spec": {"unhealthyPodEvictionPolicy": "AlwaysAllow", "selector": {
           "matchLabels": {"app": "web"},
           "matchExpressions": [
             {"key": "tier", "operator": "In", "values": ["a", "b"]},
             {"key": "x", "operator": "NotIn", "values": ["y"]},
             {"key": "e", "operator": "Exists"}, {"key": "d", "operator": "DoesNotExist"}]}},
         "status": {"disruptionsAllowed": 1, "currentHealthy": 3, "desiredHealthy": 2,
           "expectedPods": 4, "observedGeneration": 2, "disruptedPods": {"p1": "t", "p2": "t"},
           "conditions": [{"type": "DisruptionAllowed", "reason": "SyncFailed", "message": "why"}]}}""";

    assertThat(BudgetReader.read(Json.read(budget)))
        .isEqualTo(
            BudgetFacts.named("ns", "b")
                .version("9")
                .selector(LabelSelector.parse("app=web,tier in (a,b),x notin (y),e,!d"))
                .disruptionsAllowed(1)
                .healthy(3, 2, 4)
                .generation(3, 2)
                .disruptedPods(2)
                .unhealthyPods(UnhealthyPods.ALWAYS_ALLOW)
                .syncFailure("why")
                .build());
  }

  @ParameterizedTest
  @CsvSource({
    "'\"maxUnavailable\": 0', true",
    "'\"maxUnavailable\": \"0%\"', true",
    "'\"minAvailable\": \"100%\"', true",
    "'\"maxUnavailable\": 1', false",
    "'\"minAvailable\": 3', false",
    "'\"minAvailable\": \"90%\"', false"
  })
  void aBudgetIsClosedIfNoNumberOfPodsOpensIt(String limit, boolean closed) throws IOException {
    assertThat(BudgetReader.read(Json.read("{\"spec\": {" + limit + "}}")).closed())
        .isEqualTo(closed);
  }

  @Test
  void anEmptySelectorIsNotAMissingOne() throws IOException {
    String start = "{\"metadata\": {\"namespace\": \"ns\", \"name\": \"b\"}, \"spec\": ";

    assertThat(BudgetReader.read(Json.read(start + "{\"selector\": {}}}")).selector())
        .contains(LabelSelector.everything());
    assertThat(BudgetReader.read(Json.read(start + "{}}")).selector()).isEmpty();
  }

  @Test
  void readsANode() throws IOException {
    DrainNodeObject node =
        DrainNodeObject.read(
            Json.read(
                """
                {"metadata": {"name": "n", "uid": "u", "resourceVersion": "4",
                   "annotations": {"drydock.dev/holds": "{}"}},
                 "spec": {"unschedulable": true, "taints": [
                   {"key": "node.kubernetes.io/out-of-service", "effect": "NoExecute"}]},
                 "status": {"images": [{"names": ["x"]}], "conditions": [
                   {"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown",
                    "lastTransitionTime": "2026-01-01T00:00:00Z"},
                   {"type": "Drained", "status": "True", "reason": "DrydockDrained"}]}}"""));

    assertThat(node)
        .isEqualTo(
            new DrainNodeObject(
                new NodeFacts(
                        "n", true, true, Optional.of(Instant.parse("2026-01-01T00:00:00Z")), true)
                    .identified("u"),
                "u",
                "4",
                Optional.of("{}"),
                new Conditions(
                    List.of(
                        Json.object()
                            .put("type", "Drained")
                            .put("status", "True")
                            .put("reason", "DrydockDrained")))));
  }

  @Test
  void aTaintAlsoTellsThatANodeIsSilent() throws IOException {
    DrainNodeObject node =
        DrainNodeObject.read(
            Json.read(
                """
                {"metadata": {"name": "n"}, "spec": {"taints": [
                   {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute",
                    "timeAdded": "2026-01-01T00:00:00Z"}]}}"""));

    assertThat(node.facts().unreachableSince()).contains(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(node.facts().unschedulable()).isFalse();
  }

  @Test
  void theLargestTimesOfAPodCanBeCalculatedWith() throws IOException {
    PodFacts pod =
        PodReader.read(
            Json.read(
                """
                {"metadata": {"namespace": "ns", "name": "endless", "uid": "u",
                   "creationTimestamp": "2026-01-01T00:00:00Z",
                   "deletionTimestamp": "9999-12-31T23:59:59Z",
                   "deletionGracePeriodSeconds": 9223372036854775807,
                   "annotations": {"nodeset.slinky.slurm.net/pod-deadline":
                     "+999999999-12-31T23:59:59Z"}},
                 "spec": {"terminationGracePeriodSeconds": 9223372036854775807,
                   "activeDeadlineSeconds": 9223372036854775807},
                 "status": {"startTime": "2026-01-01T00:00:00Z"}}
                """));

    Instant now = Instant.parse("2026-06-01T00:00:00Z");
    assertThat(pod.endsBy().orElseThrow()).isAfter(now);
    assertThat(Duration.between(now, pod.announcedEnd().orElseThrow()).toNanos()).isPositive();
    assertThat(now.plus(pod.terminationGrace())).isAfter(now);
  }

  @Test
  void aBudgetWhoseSelectorIsTooLargeCountsForItsWholeNamespace() throws IOException {
    String values = "\"v\",".repeat(2_000) + "\"v\"";

    BudgetFacts budget =
        BudgetReader.read(
            Json.read(
                """
                {"metadata": {"namespace": "ns", "name": "b"}, "spec": {"selector": {"matchExpressions":
                  [{"key": "app", "operator": "NotIn", "values": [%s]}]}}}"""
                    .formatted(values)));

    assertThat(budget.selector()).contains(LabelSelector.everything());
    assertThat(budget.reduced()).isTrue();
  }

  @Test
  void ofAPodThatIsTooLargeWhatDecidesIsKept() throws IOException {
    String labels =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "\"label-%d\": \"v\"".formatted(i))
            .collect(Collectors.joining(","));
    String finalizers = "\"x/y\",".repeat(9_999) + "\"x/y\"";
    JsonNode pod =
        Json.read(
            """
            {"metadata": {"namespace": "ns", "name": "p", "uid": "u", "labels": {%s},
                "finalizers": [%s],
                "ownerReferences": [{"kind": "Job", "name": "%s", "controller": true}]},
             "spec": {"nodeName": "n1"}}"""
                .formatted(labels, finalizers, "x".repeat(70_000)));

    PodFacts read = PodReader.read(pod);

    assertThat(read.reduced()).isTrue();
    assertThat(read.labels()).isEmpty();
    assertThat(read.ref()).hasToString("ns/p");
    assertThat(List.of(read.uid(), read.nodeName())).containsExactly("u", "n1");
    assertThat(read.finalizers()).hasSize(10);
    assertThat(read.controller().orElseThrow().name()).hasSizeLessThan(400);
  }

  @Test
  void aPodWithMoreDevicesThanAreKeptHasUnknownOnes() {
    assertThat(withDevices(2)).contains(new PodDevices(true, Set.of("0", "1")));
    assertThat(withDevices(1_000)).contains(new PodDevices(false, Set.of()));
  }

  private static Optional<PodDevices> withDevices(int number) {
    ObjectNode annotation = Json.object();
    ArrayNode ids = annotation.putObject("devices").putArray("nvidia.com/gpu");
    IntStream.range(0, number).forEach(i -> ids.add(String.valueOf(i)));
    ObjectNode pod = Json.object();
    pod.putObject("metadata")
        .putObject("annotations")
        .put(HealthNames.DEVICES_ANNOTATION, annotation.toString());
    return PodReader.read(pod).devices();
  }

  /** Its environment and commands are not kept, so they do not count. */
  @Test
  void aPodWithLargeContainersIsReadAsAnyOther() throws IOException {
    JsonNode pod =
        Json.read(
            """
            {"metadata": {"namespace": "ns", "name": "p", "uid": "u", "labels": {"app": "web"}},
             "spec": {"containers": [{"name": "c", "command": ["%s"]}]}}"""
                .formatted("x".repeat(70_000)));

    assertThat(PodReader.read(pod).reduced()).isFalse();
    assertThat(PodReader.read(pod).labels()).isEqualTo(Map.of("app", "web"));
  }
}

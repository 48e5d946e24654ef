package dev.drydock.health.quarantine;

import static dev.drydock.health.quarantine.QuarantineFixture.NAMESPACE;
import static dev.drydock.health.quarantine.QuarantineFixture.RULES;
import static dev.drydock.health.quarantine.QuarantineFixture.fault;
import static dev.drydock.health.quarantine.QuarantineFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.quarantine.QuarantineFixture.Operator;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.DyingProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Taint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole of it, on a simulated cluster in virtual time. */
class QuarantineControllerTest {
  private static final String QUARANTINED = "Quarantined";
  private static final String ALREADY = "AlreadyQuarantined";
  private static final String UNQUARANTINED = "UnQuarantined";

  private final QuarantineFixture fixture = QuarantineFixture.simulated();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aFatalEventCordonsAndItsRecoveryReleases() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator()) {
      String id = fixture.send(fault(node));
      fixture.eventuallyStatus(id, QUARANTINED);

      assertThat(fixture.isCordoned(node)).isTrue();
      assertThat(fixture.annotations(node))
          .containsKeys("quarantineHealthEvent", "drydock.dev/holds", "drydock.dev/quarantine")
          .containsEntry("quarantineHealthEventIsCordoned", "True");
      assertThat(fixture.annotations(node).get("drydock.dev/holds")).contains("health/quarantine");
      assertThat(fixture.labels(node))
          .containsEntry("dgxc.nvidia.com/nvsentinel-state", "quarantined")
          .containsEntry("k8saas.nvidia.com/cordon-by", "NVSentinel")
          .containsEntry("k8saas.nvidia.com/cordon-reason", "fatal");
      assertThat(fixture.stored(id).orElseThrow().episode()).isEqualTo(id);
      fixture
          .cluster()
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(fixture.condition(node, "GpuXidError"))
                      .map(NodeCondition::getMessage)
                      .contains(
                          "ErrorCode:79 GPU:0 XID error occurred Recommended Action=RESTART_VM;"));

      String healed = fixture.send(recovery(node));
      fixture.eventuallyStatus(healed, UNQUARANTINED);

      assertThat(fixture.isCordoned(node)).isFalse();
      assertThat(fixture.annotations(node))
          .doesNotContainKeys(
              "quarantineHealthEvent", "quarantineHealthEventIsCordoned", "drydock.dev/holds");
      assertThat(fixture.labels(node))
          .doesNotContainKey("dgxc.nvidia.com/nvsentinel-state")
          .containsEntry("k8saas.nvidia.com/uncordon-reason", "fatal-removed");
      fixture
          .cluster()
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(fixture.condition(node, "GpuXidError"))
                      .map(NodeCondition::getMessage)
                      .contains("No Health Failures"));
    }
  }

  /** When many nodes fail at once, the API server's time is for their cordons. */
  @Test
  void conditionsWaitForTheCordonsOfOthersButNotForLong() {
    String node = fixture.addNode();
    fixture.cordonsOthers = true;
    try (Operator _ = fixture.operator()) {
      fixture.eventuallyStatus(fixture.send(fault(node)), QUARANTINED);
      assertThat(fixture.isCordoned(node)).isTrue();

      fixture
          .cluster()
          .eventually()
          .holdsFor(
              Duration.ofSeconds(4),
              () -> assertThat(fixture.condition(node, "GpuXidError")).isEmpty());
      fixture
          .cluster()
          .eventually()
          .atMost(Duration.ofSeconds(2))
          .until(() -> fixture.condition(node, "GpuXidError").isPresent());
    }
  }

  @Test
  void aSecondFaultAddsItsActionsAndPartialRecoveryTakesThemBack() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator()) {
      String first = fixture.send(fault(node));
      fixture.eventuallyStatus(first, QUARANTINED);
      String second =
          fixture.send(fault(node).componentClass("NIC").checkName("NicDown").isFatal(false));
      fixture.eventuallyStatus(second, ALREADY);

      assertThat(fixture.node(node).getSpec().getTaints())
          .extracting(Taint::getKey)
          .contains("nic");
      assertThat(fixture.labels(node)).containsEntry("network", "degraded");

      String partly = fixture.send(recovery(node).componentClass("NIC").checkName("NicDown"));
      fixture.eventuallyStatus(partly, ALREADY);

      assertThat(fixture.node(node).getSpec().getTaints())
          .extracting(Taint::getKey)
          .doesNotContain("nic");
      assertThat(fixture.labels(node)).doesNotContainKey("network");
      assertThat(fixture.isCordoned(node)).isTrue();
    }
  }

  @Test
  void aNodeThatWasCordonedBeforeStaysCordoned() {
    String node = fixture.addNode();
    fixture.cluster().client().nodes().withName(node).edit(this::cordoned);
    try (Operator _ = fixture.operator()) {
      fixture.eventuallyStatus(fixture.send(fault(node)), QUARANTINED);
      assertThat(fixture.annotations(node))
          .containsEntry("quarantineHealthEventCordonPreExisting", "True");

      fixture.eventuallyStatus(fixture.send(recovery(node)), UNQUARANTINED);
      assertThat(fixture.isCordoned(node)).isTrue();
    }
  }

  private Node cordoned(Node node) {
    node.getSpec().setUnschedulable(true);
    return node;
  }

  private Node uncordoned(Node node) {
    node.getSpec().setUnschedulable(null);
    return node;
  }

  @Test
  void aManualUncordonCancelsTheEvents() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator()) {
      String first = fixture.send(fault(node));
      fixture.eventuallyStatus(first, QUARANTINED);
      String second = fixture.send(fault(node).entity("GPU", "1"));
      fixture.eventuallyStatus(second, ALREADY);

      fixture.cluster().client().nodes().withName(node).edit(this::uncordoned);

      fixture
          .cluster()
          .eventually()
          .until(
              () -> fixture.annotations(node).get("quarantinedNodeUncordonedManually"),
              "True"::equals);
      assertThat(fixture.status(first)).isEqualTo("Cancelled");
      assertThat(fixture.status(second)).isEqualTo("Cancelled");
      assertThat(fixture.annotations(node)).doesNotContainKeys("quarantineHealthEvent");
      assertThat(fixture.labels(node)).doesNotContainKey("k8saas.nvidia.com/cordon-by");

      fixture.eventuallyStatus(fixture.send(fault(node)), QUARANTINED);
      assertThat(fixture.annotations(node)).doesNotContainKey("quarantinedNodeUncordonedManually");
    }
  }

  @Test
  void aManualUntaintEndsTheQuarantine() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator()) {
      fixture.eventuallyStatus(
          fixture.send(fault(node).componentClass("NIC").checkName("NicDown")), QUARANTINED);
      fixture
          .cluster()
          .client()
          .nodes()
          .withName(node)
          .edit(
              seen -> {
                seen.getSpec().getTaints().removeIf(taint -> taint.getKey().equals("nic"));
                return seen;
              });

      fixture
          .cluster()
          .eventually()
          .until(
              () -> fixture.annotations(node).get("quarantinedNodeUntaintedManually"),
              "True"::equals);
      assertThat(fixture.isCordoned(node)).isFalse();
    }
  }

  @Test
  void forcedQuarantinesDoNotCountForTheBreakerAlsoAfterARestart() {
    String forced = fixture.addNode();
    String other = fixture.addNode();
    String rules = RULES.replace("percentage = 100\nduration", "maxNodes = 1\nduration");
    try (Operator _ = fixture.operator(rules, false, RequestInterceptor.NONE)) {
      fixture.eventuallyStatus(
          fixture.send(fault(forced).quarantineOverrides(new BehaviourOverrides(true, false))),
          QUARANTINED);
    }
    try (Operator _ = fixture.operator(rules, false, RequestInterceptor.NONE)) {
      fixture.eventuallyStatus(fixture.send(fault(other)), QUARANTINED);
      assertThat(breaker().getData().get("status")).isEqualTo("CLOSED");
    }
  }

  @Test
  void aTrippedBreakerBlocksNewCordonsButNeverRecovery() {
    List<String> nodes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      nodes.add(fixture.addNode());
    }
    String rules = RULES.replace("percentage = 100\nduration", "maxNodes = 2\nduration");
    try (Operator _ = fixture.operator(rules, false, RequestInterceptor.NONE)) {
      List<String> ids = new ArrayList<>();
      for (String node : nodes.subList(0, 4)) {
        ids.add(fixture.send(fault(node)));
        fixture.cluster().pass(Duration.ofSeconds(1));
      }
      fixture.eventuallyStatus(ids.get(1), QUARANTINED);
      fixture
          .cluster()
          .eventually()
          .until(() -> breaker().getData().get("status"), "TRIPPED"::equals);
      assertThat(nodes.stream().filter(fixture::isCordoned))
          .containsExactlyElementsOf(nodes.subList(0, 2));

      fixture.eventuallyStatus(fixture.send(recovery(nodes.getFirst())), UNQUARANTINED);
      assertThat(fixture.isCordoned(nodes.getFirst())).isFalse();
      String force =
          fixture.send(
              fault(nodes.get(5)).quarantineOverrides(new BehaviourOverrides(true, false)));
      fixture.eventuallyStatus(force, QUARANTINED);

      // one of the two that were blocked has recovered meanwhile: it is left out
      fixture.send(recovery(nodes.get(2)));
      fixture.cluster().pass(Duration.ofSeconds(10));
      fixture
          .cluster()
          .client()
          .configMaps()
          .inNamespace(NAMESPACE)
          .withName("circuit-breaker")
          .edit(
              map -> {
                map.getData().put("status", "CLOSED");
                return map;
              });

      fixture.eventuallyStatus(ids.get(3), QUARANTINED);
      assertThat(fixture.isCordoned(nodes.get(2))).isFalse();
      fixture.cluster().eventually().until(() -> !breaker().getData().containsKey("blockedSince"));
    }
  }

  private boolean isAnyBlocked() {
    return breaker() != null && breaker().getData().containsKey("blockedSince");
  }

  private ConfigMap breaker() {
    return fixture
        .cluster()
        .client()
        .configMaps()
        .inNamespace(NAMESPACE)
        .withName("circuit-breaker")
        .get();
  }

  @Test
  void theAndonCordStopsQuarantinesWhileConditionsAreStillSet() {
    String node = fixture.addNode();
    fixture.stopped = Optional.of("stopped by a test");
    try (Operator operator = fixture.operator()) {
      String id = fixture.send(fault(node));
      fixture
          .cluster()
          .eventually()
          .until(() -> fixture.condition(node, "GpuXidError").isPresent());
      fixture.cluster().pass(Duration.ofSeconds(5));
      assertThat(fixture.isCordoned(node)).isFalse();
      assertThat(fixture.status(id)).isEmpty();

      fixture.stopped = Optional.empty();
      operator.quarantines().wake();

      fixture.eventuallyStatus(id, QUARANTINED);
    }
  }

  @Test
  void aStoreThatFailsWhenTheCordIsReleasedIsAskedAgain() {
    String node = fixture.addNode();
    fixture.stopped = Optional.of("stopped by a test");
    try (Operator operator = fixture.operator()) {
      String id = fixture.send(fault(node));
      fixture.cluster().eventually().until(this::isAnyBlocked);

      fixture.store.failQueries(1);
      fixture.stopped = Optional.empty();
      operator.quarantines().wake();

      fixture.eventuallyStatus(id, QUARANTINED);
      fixture.cluster().eventually().until(() -> !breaker().getData().containsKey("blockedSince"));
    }
  }

  @Test
  void anEventThatIsBlockedAnewWhileTheCordMovesIsNotForgotten() {
    String node = fixture.addNode();
    fixture.stopped = Optional.of("stopped by a test");
    try (Operator operator = fixture.operator()) {
      String id = fixture.send(fault(node));
      fixture.cluster().eventually().until(this::isAnyBlocked);

      fixture.stopped = Optional.empty();
      fixture.stoppedNext.addAll(List.of(Optional.empty(), Optional.of("stopped for a moment")));
      operator.quarantines().wake();

      fixture.eventuallyStatus(id, QUARANTINED);
      assertThat(fixture.stoppedNext).isEmpty();
    }
  }

  @Test
  void aDryRunChangesNothing() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(RULES, true, RequestInterceptor.NONE)) {
      Node before = fixture.node(node);
      String id = fixture.send(fault(node).isFatal(false).componentClass("NIC"));
      String other = fixture.send(fault(node));
      fixture
          .cluster()
          .eventually()
          .until(() -> fixture.condition(node, "GpuXidError").isPresent());
      fixture.cluster().pass(Duration.ofSeconds(5));

      Node after = fixture.node(node);
      assertThat(after.getSpec()).isEqualTo(before.getSpec());
      assertThat(after.getMetadata().getAnnotations())
          .isEqualTo(before.getMetadata().getAnnotations());
      assertThat(after.getMetadata().getLabels()).isEqualTo(before.getMetadata().getLabels());
      assertThat(fixture.status(id)).isEmpty();
      assertThat(fixture.status(other)).isEmpty();
      assertThat(breaker() == null || !breaker().getData().containsKey("blockedSince")).isTrue();
    }
  }

  @Test
  void whatHappenedWhileNobodyRanIsDecidedByTheNewestState() {
    String sick = fixture.addNode();
    String healed = fixture.addNode();
    String id = fixture.send(fault(sick));
    String cleared = fixture.send(fault(healed));
    fixture.send(recovery(healed));
    fixture.cluster().pass(Duration.ofMinutes(1));
    List<String> writes = new ArrayList<>();
    try (Operator _ = fixture.operator(RULES, false, noting(writes))) {
      fixture.eventuallyStatus(id, QUARANTINED);
      fixture.cluster().pass(Duration.ofSeconds(5));
    }

    assertThat(fixture.isCordoned(healed)).isFalse();
    assertThat(fixture.status(cleared)).isEmpty();
    assertThat(writes).noneMatch(write -> write.endsWith("/nodes/" + healed));
  }

  /** The original's ConfigMap, for a store whose events are too old to act on. */
  @Test
  void aPersonCanHaveTheStoredEventsLeftOut() {
    String old = fixture.addNode();
    String sick = fixture.addNode();
    String before = fixture.send(fault(old));
    fixture.cluster().pass(Duration.ofMinutes(1));
    var maps = fixture.cluster().client().configMaps().inNamespace(NAMESPACE);
    var _ =
        maps.resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("resume-control")
                    .endMetadata()
                    .addToData("fault-quarantine", "CREATE")
                    .addToData("node-drainer", "CREATE")
                    .build())
            .create();

    try (Operator _ = fixture.operator()) {
      fixture
          .cluster()
          .eventually()
          .until(
              () -> maps.withName("resume-control").require().getData().get("fault-quarantine"),
              "RESUME"::equals);
      fixture.eventuallyStatus(fixture.send(fault(sick)), QUARANTINED);
      assertThat(fixture.status(before)).isEmpty();
    }

    // nor are they read when the position is lost later
    fixture.store.forget("fault-quarantine");
    String later = fixture.send(recovery(sick));
    try (Operator _ = fixture.operator()) {
      fixture.eventuallyStatus(later, UNQUARANTINED);
      fixture.cluster().pass(Duration.ofSeconds(5));
    }
    assertThat(fixture.isCordoned(old)).isFalse();
    assertThat(maps.withName("resume-control").require().getData())
        .containsEntry("node-drainer", "CREATE")
        .containsKey("fault-quarantine-cutoff");
  }

  @Test
  void aNodeOptsOutByItsLabel() {
    String node = fixture.addNode();
    fixture
        .cluster()
        .client()
        .nodes()
        .withName(node)
        .edit(
            seen -> {
              seen.getMetadata().getLabels().put("managed", "false");
              return seen;
            });
    try (Operator _ = fixture.operator()) {
      fixture.send(fault(node));
      fixture
          .cluster()
          .eventually()
          .until(() -> fixture.condition(node, "GpuXidError").isPresent());
      fixture.cluster().pass(Duration.ofSeconds(5));

      assertThat(fixture.isCordoned(node)).isFalse();
    }
  }

  @Test
  void anEventOfAnUnknownNodeKeepsNobodyWaiting() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator()) {
      fixture.send(fault("nowhere"));
      fixture.eventuallyStatus(fixture.send(fault(node)), QUARANTINED);
      fixture.cluster().eventually().until(() -> operator.quarantines().pending() == 0);
    }
  }

  @Test
  void failuresThatAreNotFatalBecomeEventsThatAreCounted() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator()) {
      fixture.send(fault(node).isFatal(false));
      fixture.cluster().eventually().until(() -> events(node).size() == 1);
      fixture.send(fault(node).isFatal(false));
      fixture.cluster().pass(Duration.ofMinutes(11));
      fixture.send(fault(node).isFatal(false));
      fixture.cluster().eventually().until(() -> events(node).getFirst().getCount() == 2);

      Event event = events(node).getFirst();
      assertThat(event.getType()).isEqualTo("GpuXidError");
      assertThat(event.getReason()).isEqualTo("GpuXidErrorIsNotHealthy");
      assertThat(event.getInvolvedObject().getUid()).isEqualTo(node);
      assertThat(event.getSource().getComponent()).isEqualTo("gpu-health-monitor");
      assertThat(event.getMetadata().getName()).startsWith(node + ".");
      assertThat(fixture.condition(node, "GpuXidError")).isEmpty();
    }
  }

  @Test
  void anEventThatTheClusterHasForgottenIsMadeAgainAndCounted() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator()) {
      fixture.send(fault(node).isFatal(false));
      fixture.cluster().eventually().until(() -> events(node).size() == 1);
      fixture.cluster().client().resource(events(node).getFirst()).delete();
      fixture.cluster().pass(Duration.ofMinutes(11));
      fixture.send(fault(node).isFatal(false));
      fixture.cluster().eventually().until(() -> events(node).size() == 1);

      fixture.cluster().pass(Duration.ofMinutes(11));
      fixture.send(fault(node).isFatal(false));

      fixture.cluster().eventually().until(() -> events(node).getFirst().getCount() == 2);
      assertThat(events(node)).hasSize(1);
    }
  }

  private List<Event> events(String node) {
    return fixture
        .cluster()
        .client()
        .v1()
        .events()
        .inNamespace("default")
        .list()
        .getItems()
        .stream()
        .filter(event -> event.getInvolvedObject().getName().equals(node))
        .filter(event -> event.getReason().endsWith("IsNotHealthy"))
        .toList();
  }

  /** Notes the paths of all writes. */
  private static RequestInterceptor noting(List<String> writes) {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {
        if (DyingProcess.isWrite(call)) {
          writes.add(call.path());
        }
      }

      @Override
      public void after(ApiCall call, int code) {}
    };
  }

  /** The API server takes or refuses all conditions of a request together. */
  @Test
  void aConditionThatIsNeverAcceptedDoesNotCostTheOthersOfItsNode() {
    String node = fixture.addNode();
    RequestInterceptor refusing =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            if (String.valueOf(call.body()).contains("\"type\":\"Refused\"")) {
              throw new ApiFailure(422, "is invalid");
            }
          }

          @Override
          public void after(ApiCall call, int code) {}
        };
    fixture.store.append(
        List.of(
            fault(node).checkName("First").build(),
            fault(node).checkName("Refused").build(),
            fault(node).checkName("Last").build()));
    try (Operator _ = fixture.operator(QuarantineFixture.RULES, false, refusing)) {
      fixture.cluster().eventually().until(() -> fixture.condition(node, "Last").isPresent());
      assertThat(fixture.condition(node, "First")).isPresent();
      assertThat(fixture.condition(node, "Refused")).isEmpty();
    }
  }

  @Test
  void eventsWhoseOutcomeCouldNotBeStoredAreNotTakenForNewOnes() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator()) {
      fixture.cluster().pass(Duration.ofMinutes(1));
      fixture.store.failUpdates(3);
      List<String> ids =
          fixture
              .store
              .append(
                  List.of(
                      recovery(node).build(),
                      fault(node).build(),
                      fault(node).entity("GPU", "1").build()))
              .ids();
      fixture.eventuallyStatus(ids.getLast(), ALREADY);
      fixture.cluster().eventually().until(() -> operator.quarantines().pending() == 0);

      assertThat(ids.stream().map(fixture::status)).containsExactly("", QUARANTINED, ALREADY);
      assertThat(fixture.isCordoned(node)).isTrue();
    }
  }

  @Test
  void aFloodIsOneWrite() {
    String node = fixture.addNode();
    List<String> writes = new ArrayList<>();
    List<HealthEvent> flood = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      flood.add(fault(node).build());
    }
    try (Operator operator = fixture.operator(RULES, false, noting(writes))) {
      fixture.cluster().pass(Duration.ofSeconds(1));
      writes.clear();
      List<String> ids = fixture.store.append(flood).ids();
      fixture.eventuallyStatus(ids.getLast(), ALREADY);
      fixture.cluster().eventually().until(() -> operator.quarantines().pending() == 0);

      assertThat(ids.stream().map(fixture::status).distinct())
          .containsExactly(QUARANTINED, ALREADY);
      assertThat(writes).as("cordon, condition, Event of the hold").hasSizeLessThanOrEqualTo(3);
    }
  }
}

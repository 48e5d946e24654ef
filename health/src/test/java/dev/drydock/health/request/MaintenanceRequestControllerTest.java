package dev.drydock.health.request;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.quarantine.MemoryEventStore;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MaintenanceRequestControllerTest {
  private static final Resource REQUESTS = MaintenanceRequestObject.RESOURCE;
  private static final Resource MAINTENANCES =
      Resource.namespaced("ngn2.nvidia.com", "v1alpha1", "notifymaintenances", "NotifyMaintenance");
  private static final String ACTIVE = "nvsentinel.dgxc.nvidia.com/active-maintenance-request";

  private final TestCluster cluster = TestCluster.simulated();
  private final MemoryEventStore store = new MemoryEventStore(cluster.clock());
  private Kube kube;
  private String node = "";
  private volatile boolean storeFails;

  @BeforeEach
  void start() {
    cluster.define(CrdCatalog.yaml() + "---\n" + CrdCatalog.yaml(CrdCatalog.ON_REQUEST));
    kube = cluster.process().kube();
    node = cluster.addNode("node");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private record Operator(TestProcess process, MaintenanceRequestController controller)
      implements AutoCloseable {
    @Override
    public void close() {
      controller.close();
      process.close();
    }
  }

  private Operator operator(RequestInterceptor interceptor, boolean publishes) {
    TestProcess process = cluster.process(interceptor);
    MaintenanceRequestController controller =
        new MaintenanceRequestController(
            process.kube(),
            publishes
                ? Optional.of(
                    () -> {
                      if (storeFails) {
                        throw new StoreUnavailable("the store is away", new IOException());
                      }
                      return store;
                    })
                : Optional.empty(),
            new MaintenanceRequestOptions("default", Optional.of("reboot")));
    controller.start();
    return new Operator(process, controller);
  }

  private Operator operator() {
    return operator(RequestInterceptor.NONE, true);
  }

  private void create(String name, String about) {
    create(name, about, "Firmware");
  }

  private void create(String name, String about, String check) {
    ObjectNode request = REQUESTS.manifest("", name);
    ObjectNode event = request.putObject("spec").putObject("healthEvent");
    event.put("version", 1).put("agent", "ops").put("componentClass", "GPU");
    event.put("checkName", check).put("isFatal", true).put("nodeName", about);
    event.put("recommendedAction", "RESTART_BM").put("message", "new firmware");
    var _ = kube.http().createOrFind(REQUESTS, request);
  }

  private Optional<ApiObject> request(String name) {
    return kube.http().find(REQUESTS, "", name).map(ApiObject::of);
  }

  private void delete(String name) {
    Delete.sameUid(REQUESTS, request(name).orElseThrow()).send(kube.http());
  }

  private String reason(String name) {
    return request(name)
        .flatMap(each -> each.conditions().get("HealthEventEmitted"))
        .map(condition -> text(condition, "reason"))
        .orElse("");
  }

  private void eventuallyReason(String name, String reason) {
    cluster.eventually().until(() -> reason(name), reason::equals);
  }

  private void eventuallyGone(String name) {
    cluster.eventually().until(() -> request(name).isEmpty());
  }

  private String active() {
    return ApiObject.of(kube.http().find(Resource.NODES, "", node).orElseThrow())
        .annotations()
        .getOrDefault(ACTIVE, "");
  }

  private List<ApiObject> maintenances() {
    return kube.http().readAll("maintenances", MAINTENANCES.all(), ApiObject::of);
  }

  /** Each once, as a store keeps them. */
  private List<HealthEvent> events() {
    return store.query(EventQuery.ALL).stream().map(StoredEvent::event).toList();
  }

  @Test
  void aRequestIsAMaintenanceAndTwoEvents() {
    try (Operator _ = operator()) {
      create("fw", node);
      eventuallyReason("fw", "Emitted");
      assertThat(active()).isEqualTo("fw");
      ApiObject maintenance = maintenances().getFirst();
      assertThat(maintenance.name()).isEqualTo("request-fw");
      assertThat(text(maintenance.spec(), "nodeObject")).isEqualTo(node);
      assertThat(text(maintenance.spec(), "maintenanceClass")).isEqualTo("reboot");
      String uid = request("fw").orElseThrow().uid();
      assertThat(maintenance.isOwnedBy("MaintenanceRequest", uid)).isTrue();
      HealthEvent opening = events().getFirst();
      assertThat(opening.id()).isEqualTo("he-mr-" + uid);
      assertThat(opening.isFatal()).isTrue();
      assertThat(opening.effectiveAction()).isEqualTo("RESTART_BM");
      assertThat(opening.metadata())
          .containsEntry("maintenanceRequestName", "fw")
          .containsEntry("maintenanceRequestUID", uid);
      assertThat(opening.generatedTimestamp()).isNotNull();

      delete("fw");
      eventuallyGone("fw");
      assertThat(active()).isEmpty();
      assertThat(maintenances()).isEmpty();
      HealthEvent clearing = events().getLast();
      assertThat(clearing.id()).isEqualTo("he-mr-clear-" + uid);
      assertThat(clearing.isHealthy()).isTrue();
      assertThat(clearing.message()).isEqualTo("MaintenanceRequest fw cleared.");
      assertThat(clearing.effectiveAction()).isEqualTo("NONE");
      assertThat(List.of(clearing.agent(), clearing.componentClass(), clearing.checkName()))
          .containsExactly("ops", "GPU", "Firmware");
      assertThat(events()).hasSize(2);
    }
  }

  /** Its size is not the operator's, who has to end what he began. */
  @Test
  void aRequestThatHasBecomeTooLargeStaysActiveUntilItIsDeleted() {
    try (Operator _ = operator()) {
      create("large", node);
      eventuallyReason("large", "Emitted");
      var _ =
          Patch.sameUid(REQUESTS, request("large").orElseThrow())
              .annotation("note", "x".repeat(40_000))
              .spec(
                  spec ->
                      spec.putObject("healthEvent")
                          .put("message", "x".repeat(30_000))
                          .putArray("errorCode")
                          .add("x".repeat(32_000))
                          .add("y".repeat(32_000)))
              .send(kube.http());
      create("second", node);
      eventuallyReason("second", "Blocked");

      delete("large");

      eventuallyGone("large");
      eventuallyReason("second", "Emitted");
      assertThat(maintenances()).extracting(ApiObject::name).containsExactly("request-second");
      assertThat(events()).filteredOn(HealthEvent::isHealthy).hasSize(1);
    }
  }

  @Test
  void whatNoConnectorWouldTakeIsNotPublishedEither() {
    try (Operator _ = operator()) {
      create("ready", node, "Ready");
      eventuallyReason("ready", "EmitFailed");
      assertThat(events()).isEmpty();
      assertThat(maintenances()).isEmpty();
      delete("ready");
      eventuallyGone("ready");
    }
  }

  @Test
  void withoutAStoreItIsAMaintenanceOnly() {
    try (Operator _ = operator(RequestInterceptor.NONE, false)) {
      create("fw", node);
      eventuallyReason("fw", "Emitted");
      assertThat(maintenances()).hasSize(1);
      delete("fw");
      eventuallyGone("fw");
      assertThat(events()).isEmpty();
    }
  }

  @Test
  void oneAtATimeIsActiveOnANode() {
    try (Operator _ = operator()) {
      create("first", node);
      eventuallyReason("first", "Emitted");
      create("second", node);
      eventuallyReason("second", "Blocked");
      assertThat(maintenances()).hasSize(1);

      delete("first");
      eventuallyReason("second", "Emitted");
      assertThat(active()).isEqualTo("second");

      create("third", node);
      eventuallyReason("third", "Blocked");
      delete("third");
      eventuallyGone("third");
      assertThat(active()).as("one that was never active takes nothing off").isEqualTo("second");
    }
  }

  @Test
  void aStoreThatFailsIsSaidAndTriedAgain() {
    storeFails = true;
    try (Operator _ = operator()) {
      create("fw", node);
      eventuallyReason("fw", "EmitFailed");
      storeFails = false;
      eventuallyReason("fw", "Emitted");
      storeFails = true;
      delete("fw");
      cluster.pass(Duration.ofMinutes(1));
      assertThat(request("fw")).as("it stays until it is cleared").isPresent();
      assertThat(active()).isEqualTo("fw");
      storeFails = false;
      eventuallyGone("fw");
    }
  }

  @Test
  void aNodeThatGoesIsNoReasonToStay() {
    try (Operator _ = operator()) {
      create("other", "none");
      eventuallyReason("other", "EmitFailed");
      create("fw", node);
      eventuallyReason("fw", "Emitted");
      cluster.client().nodes().withName(node).delete();
      delete("fw");
      delete("other");
      eventuallyGone("fw");
      eventuallyGone("other");
    }
  }

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
    assertThat(write).as("writes of a whole life").isGreaterThan(6);
  }

  private boolean dieAndContinue(int write, boolean carriesItOut) {
    String what = "write %d, carried out %s".formatted(write, carriesItOut);
    String name = "fw-%d-%s".formatted(write, carriesItOut);
    DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
    Operator first = operator(dying, true);
    create(name, node);
    cluster.pass(Duration.ofSeconds(5));
    delete(name);
    cluster.pass(Duration.ofSeconds(5));
    boolean survived = !dying.isDead();
    first.process().kill();
    try (Operator _ = operator()) {
      cluster.pass(Duration.ofSeconds(10));
      assertThat(request(name)).as(what).isEmpty();
      assertThat(active()).as(what).isEmpty();
      assertThat(maintenances()).as(what).isEmpty();
    }
    long opened =
        events().stream().filter(event -> isOf(event, name) && !event.isHealthy()).count();
    long cleared =
        events().stream().filter(event -> isOf(event, name) && event.isHealthy()).count();
    assertThat(opened).as(what).isLessThanOrEqualTo(1);
    assertThat(cleared).as(what).isBetween(opened, 1L);
    return survived;
  }

  private static boolean isOf(HealthEvent event, String name) {
    return name.equals(event.metadata().get("maintenanceRequestName"));
  }

  @Test
  void otherRequestsAreServedWhenOneMeetsABug() {
    LoopBug bug = new LoopBug().atWritesTo("/maintenancerequests/bad");
    String other = cluster.addNode("other");
    try (Operator operator = operator(bug, true)) {
      create("bad", node);
      create("good", other);
      bug.staysIn(
          "maintenance-requests",
          operator.process().kube(),
          cluster.eventually(),
          () -> assertThat(List.of(reason("good"), reason("bad"))).containsExactly("Emitted", ""),
          () -> assertThat(reason("bad")).isEqualTo("Emitted"));
    }
  }

  @Test
  void theWebhookKnowsNodesAndTimes() {
    MaintenanceRequestRule rule = new MaintenanceRequestRule(kube.http(), cluster.clock());
    assertThat(rule.judge(review("CREATE", node, "2099-01-01T00:00:00Z", null)).refusals())
        .isEmpty();
    assertThat(rule.judge(review("CREATE", "..", "", null)).refusals())
        .singleElement()
        .asString()
        .contains("does not exist");
    assertThat(rule.judge(review("CREATE", node, "2020-01-01T00:00:00Z", null)).refusals())
        .singleElement()
        .asString()
        .contains("in the past");
    assertThat(rule.judge(review("CREATE", node, "soon", null)).refusals())
        .singleElement()
        .asString()
        .contains("not a time");
    assertThat(rule.judge(review("UPDATE", node, "", node)).refusals()).isEmpty();
    assertThat(rule.judge(review("UPDATE", node, "", "other")).refusals())
        .singleElement()
        .asString()
        .contains("cannot be changed");
    assertThat(rule.judge(Json.object().put("operation", "DELETE")).isAllowed()).isTrue();
    assertThat(rule.judge(Json.object().put("operation", "CREATE")).refusals())
        .containsExactly("spec.healthEvent is required");
  }

  private static ObjectNode review(
      String operation,
      String about,
      String start,
      @org.jspecify.annotations.Nullable String before) {
    ObjectNode review = Json.object().put("operation", operation);
    review.putObject("object").set("spec", spec(about, start));
    if (before != null) {
      review.putObject("oldObject").set("spec", spec(before, start));
    }
    return review;
  }

  private static ObjectNode spec(String about, String start) {
    ObjectNode spec = Json.object();
    spec.putObject("healthEvent").put("nodeName", about).put("version", 1);
    return start.isEmpty() ? spec : spec.put("startTime", start);
  }
}

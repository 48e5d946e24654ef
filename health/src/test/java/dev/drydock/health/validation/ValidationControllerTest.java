package dev.drydock.health.validation;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.contracts.nvsentinel.ValidationRequest;
import dev.drydock.health.decide.TestEvents;
import dev.drydock.health.quarantine.MemoryEventStore;
import dev.drydock.health.quarantine.QuarantineController;
import dev.drydock.health.quarantine.QuarantineMetrics;
import dev.drydock.health.quarantine.QuarantineNames;
import dev.drydock.health.quarantine.QuarantineOptions;
import dev.drydock.health.quarantine.ValidationEvents;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From a quarantine to the request for validation, in virtual time. */
class ValidationControllerTest {
  private static final Resource REQUESTS =
      Resource.cluster(
          "nvsentinel.nvidia.com", "v1alpha1", "validationrequests", "ValidationRequest");
  private static final Resource DEFINITIONS =
      Resource.cluster(
          "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition");

  private static final String RULES =
      """
      [circuitBreaker]
      percentage = 100
      minimumNodes = 100
      duration = "5m"
      slowAtPercentage = 100

      [[rule-sets]]
      enabled = true
      name = "fatal"
      [[rule-sets.match.all]]
      kind = "HealthEvent"
      expression = "event.isFatal"
      [rule-sets.cordon]
      shouldCordon = true

      [validation]
      enabled = true
      apiGroup = "nvsentinel.nvidia.com"
      version = "v1alpha1"
      kind = "ValidationRequest"
      resource = "validationrequests"
      templateMountPath = "/etc/config"
      templateFileName = "validation.yaml"
      [[validation.ruleSets]]
      name = "gpu"
      tests = ["dcgm-diag-test", "nccl"]
      [[validation.ruleSets.match.all]]
      kind = "HealthEvent"
      expression = "event.componentClass == 'GPU' && event.isFatal"
      [[validation.ruleSets]]
      name = "nic"
      tests = ["nccl", "ping"]
      [[validation.ruleSets.match.any]]
      kind = "HealthEvent"
      expression = "event.componentClass == 'NIC'"
      """;

  private static final ResourceTemplate TEMPLATE =
      ResourceTemplate.parse(
          "validation.yaml",
          """
          metadata:
            name: validate-{{ .SessionID }}
            labels:
              by: template
          spec:
            nodes:
            - name: {{ .NodeName }}
            tests:
            {{- range .Tests }}
            - {{ . }}
            {{- end }}
          """);

  private final TestCluster cluster = TestCluster.simulated();
  private final MemoryEventStore store = new MemoryEventStore(cluster.clock());
  private final QuarantineRules rules = RuleFile.parse(RULES, "rules.toml");
  private Kube kube;
  private String node = "";

  @BeforeEach
  void start() {
    cluster.define(CrdCatalog.yaml(List.of(ValidationRequest.class)));
    kube = cluster.process().kube();
    node = cluster.addNode("node");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private record Operator(
      TestProcess process, QuarantineController quarantines, ValidationController validations)
      implements AutoCloseable {
    @Override
    public void close() {
      quarantines.close();
      validations.close();
      process.close();
    }
  }

  private Operator operator(RequestInterceptor interceptor) {
    TestProcess process = cluster.process(interceptor);
    QuarantineController quarantines =
        new QuarantineController(
            process.kube(),
            store,
            rules,
            new QuarantineOptions("default", false, "nvidia.com/gpu.present", "true"),
            new QuarantineMetrics(new SimpleMeterRegistry(), true),
            Optional::empty);
    ValidationController validations =
        new ValidationController(process.kube(), store, rules.validation().orElseThrow(), TEMPLATE);
    quarantines.start();
    validations.start();
    return new Operator(process, quarantines, validations);
  }

  private HealthEvent.Builder fault(String component) {
    return TestEvents.unhealthy("")
        .nodeName(node)
        .componentClass(component)
        .checkName(component + "Check")
        .metadata(HealthNames.TRACE_ID, "abc");
  }

  private String send(HealthEvent.Builder event) {
    return store.append(List.of(event.build())).ids().getFirst();
  }

  private String quarantined(HealthEvent.Builder event) {
    String id = send(event);
    cluster
        .eventually()
        .until(() -> store.get(id).orElseThrow().status().nodeQuarantined().endsWith("uarantined"));
    return id;
  }

  private void drained(String id) {
    store.update(id, StatusUpdate.NONE.eviction(HealthStatus.SUCCEEDED, ""));
  }

  private void recovered(String... components) {
    for (String component : components) {
      send(
          TestEvents.healthy("")
              .nodeName(node)
              .componentClass(component)
              .checkName(component + "Check"));
    }
    cluster.eventually().until(() -> !annotations().containsKey(QuarantineNames.EVENTS));
  }

  private Map<String, String> annotations() {
    return ApiObject.of(kube.http().find(Resource.NODES, "", node).orElseThrow()).annotations();
  }

  private List<ApiObject> requests() {
    return kube.http().readAll("requests", REQUESTS.all(), ApiObject::of);
  }

  private ApiObject request() {
    cluster.eventually().until(() -> requests().size(), count -> count == 1);
    return requests().getFirst();
  }

  private void eventuallyForgotten() {
    cluster.eventually().until(() -> !annotations().containsKey(QuarantineNames.VALIDATION));
  }

  @Test
  void aNodeIsValidatedAfterItsQuarantineByAllTestsThatItsFailuresAskFor() throws IOException {
    try (Operator _ = operator(RequestInterceptor.NONE)) {
      String first = quarantined(fault("GPU"));
      drained(first);
      String second = quarantined(fault("NIC"));
      quarantined(fault("DISK"));
      send(fault("GPU")); // known already
      cluster.pass(Duration.ofMinutes(1));
      assertThat(annotations().get(QuarantineNames.VALIDATION))
          .contains(first, second, "dcgm-diag-test", "ping");
      assertThat(ValidationEvents.read(annotations().getOrDefault(QuarantineNames.VALIDATION, "")))
          .hasSize(2);
      assertThat(requests()).as("not before it is over").isEmpty();

      recovered("GPU", "NIC", "DISK");

      ApiObject request = request();
      assertThat(Fields.list(request.spec().path("tests")))
          .containsExactly("dcgm-diag-test", "nccl", "ping");
      assertThat(text(request.spec().path("nodes").path(0), "name")).isEqualTo(node);
      assertThat(request.name()).matches("validate-[0-9a-f]{12}");
      assertThat(request.isOwnedBy("Node", uid())).isTrue();
      assertThat(request.labels()).containsEntry("by", "template");
      assertThat(request.annotations()).containsEntry("nvsentinel.nvidia.com/trace-id", "abc");
      eventuallyForgotten();
      cluster.pass(Duration.ofHours(1));
      assertThat(requests()).hasSize(1);
    }
  }

  private String uid() {
    return ApiObject.of(kube.http().find(Resource.NODES, "", node).orElseThrow()).uid();
  }

  @Test
  void withoutAFullDrainNothingIsValidated() {
    try (Operator _ = operator(RequestInterceptor.NONE)) {
      String partial =
          quarantined(
              fault("GPU")
                  .recommendedAction(RecommendedAction.COMPONENT_RESET)
                  .entity("GPU_UUID", "g"));
      drained(partial);
      quarantined(fault("NIC")); // never drained
      recovered("GPU", "NIC");
      eventuallyForgotten();
      assertThat(requests()).isEmpty();
    }
  }

  @Test
  void aPersonWhoReleasesTheNodeHasLookedAtIt() {
    try (Operator _ = operator(RequestInterceptor.NONE)) {
      drained(quarantined(fault("GPU")));
      ApiObject now = ApiObject.of(kube.http().find(Resource.NODES, "", node).orElseThrow());
      var _ =
          Patch.sameUid(Resource.NODES, now)
              .spec(spec -> spec.put("unschedulable", false))
              .send(kube.http());
      eventuallyForgotten();
      cluster.pass(Duration.ofMinutes(1));
      assertThat(requests()).isEmpty();
    }
  }

  @Test
  void aRequestThatNobodyServesSaysSo() {
    try (Operator _ = operator(RequestInterceptor.NONE)) {
      drained(quarantined(fault("GPU")));
      recovered("GPU");
      cluster.eventually().until(() -> request().conditions().get("Served").isPresent());
      var _ =
          Patch.sameUid(REQUESTS, request())
              .status(status -> status.put("phase", "Running"))
              .send(kube.http());
      cluster.eventually().until(() -> request().conditions().get("Served").isEmpty());
    }
  }

  @Test
  void aKindThatComesLaterIsUsedThen() {
    ApiObject definition =
        ApiObject.of(
            kube.http()
                .find(DEFINITIONS, "", "validationrequests.nvsentinel.nvidia.com")
                .orElseThrow());
    Delete.sameUid(DEFINITIONS, definition).send(kube.http());
    try (Operator _ = operator(RequestInterceptor.NONE)) {
      drained(quarantined(fault("GPU")));
      recovered("GPU");
      cluster.pass(Duration.ofMinutes(5));
      assertThat(annotations()).containsKey(QuarantineNames.VALIDATION);
      cluster.define(CrdCatalog.yaml(CrdCatalog.SERVED_BY_OTHERS));
      assertThat(request().name()).startsWith("validate-");
      eventuallyForgotten();
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
    assertThat(write).isGreaterThan(2);
  }

  private boolean dieAndContinue(int write, boolean carriesItOut) {
    node = cluster.addNode("crash-%d-%s".formatted(write, carriesItOut));
    DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
    boolean survived;
    int before = requests().size();
    Operator first = operator(dying);
    String id = send(fault("GPU"));
    cluster.pass(Duration.ofSeconds(5));
    drained(id);
    send(TestEvents.healthy("").nodeName(node).componentClass("GPU").checkName("GPUCheck"));
    cluster.pass(Duration.ofSeconds(5));
    survived = !dying.isDead();
    first.process().kill();
    try (Operator _ = operator(RequestInterceptor.NONE)) {
      cluster.pass(Duration.ofMinutes(1));
      boolean quarantined =
          store.get(id).orElseThrow().status().nodeQuarantined().equals("Quarantined");
      assertThat(requests())
          .as("write %d, carried out %s", write, carriesItOut)
          .hasSize(before + (quarantined ? 1 : 0));
      assertThat(annotations()).doesNotContainKey(QuarantineNames.VALIDATION);
    }
    return survived;
  }

  @Test
  void otherNodesAreValidatedWhenOneMeetsABug() {
    LoopBug bug = new LoopBug();
    try (Operator operator = operator(bug)) {
      String bad = node;
      drained(quarantined(fault("GPU")));
      node = cluster.addNode("good");
      String good = node;
      drained(quarantined(fault("GPU")));
      bug.at(
          call ->
              DyingProcess.isWrite(call)
                  && call.path().contains("validationrequests")
                  && String.valueOf(call.body()).contains(bad));
      recovered("GPU");
      node = bad;
      recovered("GPU");

      bug.staysIn(
          "validation",
          operator.process().kube(),
          cluster.eventually(),
          () -> assertThat(validated()).containsExactly(good),
          () -> assertThat(validated()).containsExactlyInAnyOrder(good, bad));
    }
  }

  private List<String> validated() {
    return requests().stream()
        .map(request -> text(request.spec().path("nodes").path(0), "name"))
        .toList();
  }
}

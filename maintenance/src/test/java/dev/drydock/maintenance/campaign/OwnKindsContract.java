package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What an API server itself accepts and refuses of classes and campaigns, without any webhook. */
abstract class OwnKindsContract {
  private static final String CLASS =
      "drain: {builtin: {}}, maintenance: {outside: {}}, validation: {none: {}}";
  private static final String CAMPAIGN = "nodeSelector: {}, maintenanceClass: fw";

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final String name = "own-" + UUID.randomUUID();

  @Test
  void aClassWithEverythingIsKeptAsItIs(TestCluster cluster) {
    install(cluster);
    MaintenanceClass kept =
        create(
            cluster,
            MaintenanceClass.class,
            """
            drain:
              template:
                apiVersion: example.com/v1
                kind: Emptying
                spec: {node: "${node}", deep: [{a: 1}, true, text]}
                completionCondition: Done
            maintenance: {job: {template: {spec: {template: {spec: {restartPolicy: Never}}}}}}
            validation: {job: {template: {spec: {}}}, soakSeconds: 60, retries: 2}
            slaPeriod: 1h30m
            deadlineSeconds: 3600
            budgets: [{maxUnavailable: 10%}, {key: rack, maxUnavailable: 1}]
            """);

    assertThat(Objects.requireNonNull(kept.getSpec().drain().template()).spec())
        .containsEntry("node", "${node}")
        .containsEntry("deep", List.of(Map.of("a", 1), true, "text"));
    assertThat(kept.getSpec().budgets())
        .containsExactly(new DomainBudget(null, "10%"), new DomainBudget("rack", "1"));
  }

  @Test
  void aCampaignWithEverythingIsKeptAsItIs(TestCluster cluster) {
    install(cluster);
    MaintenanceCampaign kept =
        create(
            cluster,
            MaintenanceCampaign.class,
            """
            nodeSelector:
              matchLabels: {gpu: h100}
              matchExpressions: [{key: pool, operator: NotIn, values: [spare]}]
            maintenanceClass: fw
            maintenanceID: fw-17
            namespace: ops
            budgets: [{maxUnavailable: 10%}, {key: topology.kubernetes.io/zone, maxUnavailable: 1}]
            windows: [{schedule: "0 22 * * MON-FRI", duration: 6h, timeZone: Europe/Berlin}]
            exclusions:
            - {from: "2026-12-20T00:00:00Z", to: "2027-01-06T00:00:00+01:00"}
            - {schedule: "@monthly", duration: 24h}
            approval: {required: true}
            canary: {nodes: 1, soakSeconds: 600}
            batches: {start: 2, growth: 1.5, max: 50}
            stopOnFailures: 2
            paused: true
            priority: -5
            order: zone
            patience: 2h
            """);

    assertThat(kept.getSpec().order()).isEqualTo(CampaignOrder.ZONE);
    assertThat(Objects.requireNonNull(kept.getSpec().batches()).growth()).isEqualTo(1.5);
  }

  @Test
  void mistakesInAClassAreRefusedWithTheirField(TestCluster cluster) {
    install(cluster);
    SoftAssertions softly = new SoftAssertions();
    Map.ofEntries(
            Map.entry("", "spec"),
            Map.entry("drain: {builtin: {}}, validation: {none: {}}", "spec.maintenance"),
            Map.entry(CLASS + ", slaPeriod: soon", "spec.slaPeriod must be a time"),
            Map.entry(CLASS + ", slaPeriod: 0s", "spec.slaPeriod must be a time"),
            Map.entry(CLASS + ", deadlineSeconds: 0", "spec.deadlineSeconds"),
            Map.entry(CLASS + ", budgets: [{maxUnavailable: 0}]", "spec.budgets[0].maxUnavailable"),
            Map.entry(
                CLASS + ", budgets: [{maxUnavailable: 0%}]", "spec.budgets[0].maxUnavailable"),
            Map.entry(
                CLASS + ", budgets: [{maxUnavailable: few}]", "spec.budgets[0].maxUnavailable"),
            Map.entry(
                CLASS.replace("builtin: {}", "builtin: {}, outside: {}"),
                "spec.drain must have exactly one"),
            Map.entry(CLASS.replace("builtin: {}", ""), "spec.drain must have exactly one"),
            Map.entry(
                CLASS.replace("builtin: {}", "lifecycleEvent: {}"),
                "spec.drain.lifecycleEvent.transitionName"),
            Map.entry(
                CLASS.replace("maintenance: {outside: {}}", "maintenance: {}"),
                "spec.maintenance must have exactly one"),
            Map.entry(
                CLASS.replace("none: {}", "none: {}, outside: {}"),
                "spec.validation must have exactly one"),
            Map.entry(
                CLASS.replace("none: {}", "none: {}, retries: 1"), "need spec.validation.job"))
        .forEach(
            (spec, message) -> refused(softly, cluster, MaintenanceClass.class, spec, message));
    softly.assertAll();
  }

  @Test
  void mistakesInACampaignAreRefusedWithTheirField(TestCluster cluster) {
    install(cluster);
    SoftAssertions softly = new SoftAssertions();
    Map.ofEntries(
            Map.entry("maintenanceClass: fw", "spec.nodeSelector"),
            Map.entry("nodeSelector: {}", "spec.maintenanceClass"),
            Map.entry(
                "nodeSelector: {matchExpressions: [{key: a, operator: Is}]}, maintenanceClass: fw",
                "spec.nodeSelector.matchExpressions.operator must be"),
            Map.entry(
                "nodeSelector: {matchExpressions: [{key: a, operator: In}]}, maintenanceClass: fw",
                "In and NotIn need values"),
            Map.entry(CAMPAIGN + ", maintenanceID: '-'", "spec.maintenanceID"),
            Map.entry(
                CAMPAIGN + ", budgets: [{maxUnavailable: 0}]", "spec.budgets[0].maxUnavailable"),
            Map.entry(
                CAMPAIGN + ", budgets: [{maxUnavailable: 1}, {maxUnavailable: 2}]",
                "spec.budgets must name each key only once"),
            Map.entry(
                CAMPAIGN + ", windows: [{schedule: nightly, duration: 1h}]",
                "spec.windows.schedule must have five fields"),
            Map.entry(
                CAMPAIGN + ", windows: [{schedule: '@daily', duration: 1d}]",
                "spec.windows.duration must be a time"),
            Map.entry(
                CAMPAIGN + ", exclusions: [{from: '2026-12-24T00:00:00Z'}]",
                "spec.exclusions must have either from and to"),
            Map.entry(
                CAMPAIGN
                    + ", exclusions: [{from: '2026-12-24T00:00:00Z', to: '2026-12-24T00:00:00Z'}]",
                "spec.exclusions.from must lie before"),
            Map.entry(
                CAMPAIGN + ", exclusions: [{from: tomorrow, to: '2026-12-24T00:00:00Z'}]",
                "spec.exclusions.from must lie before"),
            Map.entry(
                CAMPAIGN + ", canary: {nodes: 1, percent: 5}", "spec.canary must have exactly one"),
            Map.entry(CAMPAIGN + ", canary: {nodes: 0}", "spec.canary.nodes"),
            Map.entry(CAMPAIGN + ", batches: {growth: 0.5}", "spec.batches.growth"),
            Map.entry(
                CAMPAIGN + ", batches: {start: 3, max: 2}", "spec.batches.max must be at least"),
            Map.entry(CAMPAIGN + ", stopOnFailures: 0", "spec.stopOnFailures"),
            Map.entry(CAMPAIGN + ", patience: 0s", "spec.patience must be a time"),
            Map.entry(CAMPAIGN + ", order: random", "spec.order"))
        .forEach(
            (spec, message) -> refused(softly, cluster, MaintenanceCampaign.class, spec, message));
    softly.assertAll();
  }

  @Test
  void whatMustStayCannotBeChanged(TestCluster cluster) {
    install(cluster);
    create(cluster, MaintenanceCampaign.class, CAMPAIGN + ", maintenanceID: a, stopped: true");

    patchRefused(
        cluster, "{\"spec\":{\"maintenanceClass\":\"other\"}}", "spec.maintenanceClass cannot");
    patchRefused(
        cluster, "{\"spec\":{\"maintenanceID\":\"b\"}}", "spec.maintenanceID cannot be changed");
    patchRefused(
        cluster, "{\"spec\":{\"maintenanceID\":null}}", "spec.maintenanceID cannot be added");
    patchRefused(cluster, "{\"spec\":{\"namespace\":\"b\"}}", "spec.namespace cannot be added");
    patchRefused(cluster, "{\"spec\":{\"stopped\":false}}", "spec.stopped cannot be taken back");
    patchRefused(cluster, "{\"spec\":{\"stopped\":null}}", "spec.stopped cannot be taken back");
    cluster
        .client()
        .resources(MaintenanceCampaign.class)
        .withName(name)
        .patch(MERGE, "{\"spec\":{\"paused\":true}}");
  }

  private void patchRefused(TestCluster cluster, String patch, String message) {
    assertThatThrownBy(
            () ->
                cluster
                    .client()
                    .resources(MaintenanceCampaign.class)
                    .withName(name)
                    .patch(MERGE, patch))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(message);
  }

  private void install(TestCluster cluster) {
    assertThat(cluster.kubectl(CrdCatalog.yaml(), "apply", "--server-side", "-f", "-").output())
        .isNotEmpty();
    cluster
        .eventually()
        .untilAsserted(
            () -> {
              dryRun(cluster, MaintenanceClass.class, CLASS);
              dryRun(cluster, MaintenanceCampaign.class, CAMPAIGN);
            });
  }

  private void refused(
      SoftAssertions softly,
      TestCluster cluster,
      Class<? extends CustomResource<?, ?>> kind,
      String spec,
      String message) {
    softly
        .assertThatThrownBy(() -> dryRun(cluster, kind, spec))
        .as(spec)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(message);
  }

  private void dryRun(
      TestCluster cluster, Class<? extends CustomResource<?, ?>> kind, String spec) {
    var _ = object(cluster, kind, spec).dryRun().create();
  }

  /** As it was kept. */
  private <T extends CustomResource<?, ?>> T create(
      TestCluster cluster, Class<T> kind, String spec) {
    var _ = object(cluster, kind, spec).create();
    return Objects.requireNonNull(cluster.client().resources(kind).withName(name).get());
  }

  private Resource<GenericKubernetesResource> object(
      TestCluster cluster, Class<? extends CustomResource<?, ?>> kind, String spec) {
    String apiVersion = HasMetadata.getApiVersion(kind);
    String indented = spec.indent(2);
    String body =
        spec.isEmpty() ? "" : spec.contains("\n") ? "spec:\n" + indented : "spec: {" + spec + "}";
    GenericKubernetesResource object =
        Serialization.unmarshal(
            "apiVersion: %s\nkind: %s\nmetadata: {name: %s}\n%s"
                .formatted(apiVersion, HasMetadata.getKind(kind), name, body),
            GenericKubernetesResource.class);
    return cluster
        .client()
        .genericKubernetesResources(apiVersion, HasMetadata.getKind(kind))
        .resource(object);
  }

  @AfterEach
  void remove(TestCluster cluster) {
    cluster.client().resources(MaintenanceClass.class).withName(name).delete();
    cluster.client().resources(MaintenanceCampaign.class).withName(name).delete();
  }

  /** One cluster for each test; JUnit closes it. */
  interface ClusterOfTest extends ParameterResolver {
    TestCluster start(ExtensionContext context);

    @Override
    default boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == TestCluster.class;
    }

    @Override
    default Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getStore(ExtensionContext.Namespace.create(ClusterOfTest.class))
          .computeIfAbsent(TestCluster.class, _ -> start(context), TestCluster.class);
    }
  }
}

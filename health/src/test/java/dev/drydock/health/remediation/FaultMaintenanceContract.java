package dev.drydock.health.remediation;

import static dev.drydock.health.remediation.RemediationFixture.MAINTENANCES;
import static dev.drydock.health.remediation.RemediationFixture.fault;
import static dev.drydock.health.remediation.RemediationFixture.recovery;
import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.DrainFeature;
import dev.drydock.health.operator.FeatureDefaults;
import dev.drydock.health.remediation.RemediationFixture.Operator;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.MaintenanceFeature;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fault runs on the same spine as planned work: quarantine, maintenance with a class, healthy
 * event, release. The maintenance is served by the real controllers.
 */
final class FaultMaintenanceContract {
  private static final Resource CLASSES =
      Resource.cluster("drydock.dev", "v1alpha1", "maintenanceclasses", "MaintenanceClass");

  private final RemediationFixture fixture;
  private final String namespace;

  FaultMaintenanceContract(RemediationFixture fixture, String namespace) {
    this.fixture = fixture;
    this.namespace = namespace;
  }

  /**
   * From the fault to the release.
   *
   * @param rights of the operator that remedies
   */
  void aFaultIsAMaintenanceAndTheNodeComesBack(ProcessOptions rights) throws Exception {
    String node = fixture.addNode();
    maintenanceClass("by-hand");
    RemediationConfig config =
        RemediationConfig.of(
            new DefaultMaintenance(RemediationFixture.NAMESPACE, Optional.of("by-hand")));
    LeaderTerm term = new LeaderTerm();
    try (TestProcess spine = fixture.cluster().process();
        Operator operator = fixture.operator(config, rights, false)) {
      List<Feature> features = List.of(new DrainFeature(), new MaintenanceFeature());
      OperatorContext context =
          FeatureDefaults.context(
              spine.kube(), fixture.cluster().client(), namespace, features, Map.of());
      List<AutoCloseable> parts =
          features.stream().map(feature -> feature.operator(context).lead(term)).toList();

      String id = fixture.quarantinedAndDrained(fault(node));
      ApiObject maintenance = fixture.only(MAINTENANCES);
      assertThat(maintenance.name()).isEqualTo("maintenance-%s-%s".formatted(node, id));
      fixture
          .eventually()
          .until(
              () -> text(fixture.only(MAINTENANCES).status(), "maintenanceStatus"),
              "ObjectsDrained"::equals);
      assertThat(holders(node))
          .contains("health/quarantine")
          .anyMatch(holder -> holder.startsWith("notifymaintenance/"));
      fixture.eventually().until(() -> fixture.label(node), "remediation-succeeded"::equals);

      fixture.change(
          MAINTENANCES,
          fixture.only(MAINTENANCES),
          patch -> patch.annotation("maintenance/maintenanceClient", "complete"));
      fixture.eventually().until(() -> fixture.events(node).contains("RemediationDone"));
      fixture
          .eventually()
          .until(() -> holders(node), holders -> holders.equals(List.of("health/quarantine")));
      assertThat(fixture.isCordoned(node)).as("worked on, and not reported healthy").isTrue();

      fixture.eventuallyStatus(fixture.send(recovery(node)), "UnQuarantined");
      fixture.eventually().until(() -> !fixture.isCordoned(node));
      fixture.eventually().until(() -> fixture.list(MAINTENANCES).isEmpty());
      fixture.eventually().until(() -> fixture.events(node).contains("RemediationRecovered"));
      assertThat(fixture.node(node).annotations())
          .doesNotContainKeys("drydock.dev/holds", "latestFaultRemediationState");
      assertThat(fixture.label(node)).isEmpty();
      fixture
          .eventually()
          .untilAsserted(
              () -> {
                assertThat(operator.count("drydock_remediations", "outcome", "recovered"))
                    .isEqualTo(1);
                assertThat(operator.process().kube().health().degraded()).isEmpty();
              });
      term.close();
      for (AutoCloseable part : parts) {
        part.close();
      }
    }
  }

  private void maintenanceClass(String name) {
    var manifest = CLASSES.manifest("", name);
    var spec = manifest.putObject("spec");
    spec.putObject("drain").putObject("builtin");
    spec.putObject("maintenance").putObject("outside");
    spec.putObject("validation").putObject("none");
    var _ = fixture.kube().http().createOrFind(CLASSES, manifest);
  }

  private List<String> holders(String node) {
    try {
      return Json.read(fixture.node(node).annotations().getOrDefault("drydock.dev/holds", "{}"))
          .properties()
          .stream()
          .map(Map.Entry::getKey)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

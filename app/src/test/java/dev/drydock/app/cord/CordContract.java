package dev.drydock.app.cord;

import static dev.drydock.app.CommandFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.CommandFixture;
import dev.drydock.app.DrydockTest.Outcome;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.kube.Kube;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the andon cord promises, whatever the cluster. */
abstract class CordContract {
  protected CommandFixture fixture;

  abstract CommandFixture newFixture();

  @BeforeEach
  void open() {
    fixture = newFixture();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Outcome drydock(String... words) {
    return fixture.drydock(
        Stream.concat(Stream.of(words), Stream.of("--operator-namespace", fixture.namespace()))
            .toArray(String[]::new));
  }

  private Map<String, String> cord() {
    return fixture
        .client()
        .configMaps()
        .inNamespace(fixture.namespace())
        .withName(AndonCord.NAME)
        .require()
        .getData();
  }

  @Test
  void isPulledAndReleasedByAnybodyAnyNumberOfTimes() {
    assertThat(drydock("resume").out()).isEqualTo("nothing was stopped\n");

    Outcome stop = drydock("stop", "--reason", "smoke in row 3");

    assertThat(stop.exitCode()).as(stop.err()).isZero();
    assertThat(stop.out()).isEqualTo("stopped; nothing new starts until: drydock resume\n");
    assertThat(cord())
        .containsEntry("by", "user/" + System.getProperty("user.name"))
        .containsEntry("reason", "smoke in row 3")
        .containsKey("since");
    assertThat(drydock("stop", "--reason", "fire").exitCode()).isZero();
    assertThat(cord()).containsEntry("reason", "fire");
    assertThat(drydock("resume").out()).isEqualTo("resumed\n");
    assertThat(drydock("resume").out()).isEqualTo("nothing was stopped\n");
  }

  @Test
  void namesAnOperatorThatHasNotSeenIt() {
    Lease lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withName(StopWitnesses.OPERATOR_LEASE)
            .withNamespace(fixture.namespace())
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("deaf")
            .endSpec()
            .build();
    var _ = fixture.client().resource(lease).create();
    try {
      Outcome stop = drydock("stop", "--wait", "1s");

      assertThat(stop.exitCode()).isEqualTo(1);
      assertThat(stop.out()).startsWith("stopped; ");
      assertThat(stop.err())
          .contains(
              "has not seen it: operator deaf (Lease "
                  + fixture.namespace()
                  + "/drydock-operator, last renewed at an unknown time)");
    } finally {
      var _ = fixture.client().resource(lease).delete();
      var _ = drydock("resume");
    }
  }

  @Test
  void aNodeThatWasNotProvedFitIsReturnedOnlyOnPurposeAndTheExitCodeTells() {
    fixture.define();
    String node = fixture.addNode();
    fixture.create(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: unfit, namespace: %s}
        spec: {nodeObject: %s, maintenanceID: unfit, maintenanceType: planned}
        """
            .formatted(fixture.namespace(), node));
    var _ =
        fixture
            .client()
            .genericKubernetesResources("ngn2.nvidia.com/v1alpha1", "NotifyMaintenance")
            .inNamespace(fixture.namespace())
            .withName("unfit")
            .editStatus(
                seen -> {
                  seen.setAdditionalProperty(
                      "status", Map.of("maintenanceStatus", "MaintenanceIncomplete"));
                  return seen;
                });
    String holder = "notifymaintenance/" + fixture.namespace() + "/unfit";
    assertThat(fixture.drydock("cordon", node, "--holder", holder).exitCode()).isZero();

    assertThat(fixture.drydock("uncordon", node).exitCode()).as("still held").isEqualTo(1);
    Outcome refused = fixture.drydock("uncordon", node, "--force");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("was not proved fit: " + holder, "--yes");
    assertThat(fixture.isCordoned(node)).isTrue();

    assertThat(fixture.drydock("uncordon", node, "--force", "--yes").exitCode()).isZero();
    assertThat(fixture.isCordoned(node)).isFalse();
  }

  @Test
  void isObeyedByWhoeverWatchesIt() {
    try (Kube kube = Kube.of(fixture.client());
        DrainEngine engine = new DrainEngine(kube)) {
      new AndonCord(kube, fixture.namespace()).govern(engine, () -> {});
      eventually().until(() -> engine.stopped().isEmpty());

      drydock("stop", "--reason", "smoke");
      eventually()
          .until(
              () -> engine.stopped().orElse(""),
              why -> why.startsWith("stopped by user/") && why.contains(": smoke; run 'drydock"));

      drydock("resume");
      eventually().until(() -> engine.stopped().isEmpty());
    }
  }

  @Test
  void keepsADrainFromBeginningUnlessItIsIgnored() {
    String node = fixture.addNode();
    drydock("stop", "--reason", "smoke");

    Outcome refused = drydock("drain", node);

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .matches(
            "error: nothing new may start: stopped by user/\\S+ since \\S+: smoke;"
                + " run 'drydock resume' to continue, or override with --ignore-stop\n");
    assertThat(drydock("drain", node, "--server-side").err()).isEqualTo(refused.err());
    assertThat(fixture.isCordoned(node)).isFalse();
    assertThat(drydock("drain", node, "--dry-run").exitCode())
        .as("looking is always allowed")
        .isZero();

    Outcome forced = drydock("drain", node, "--ignore-stop");

    assertThat(forced.exitCode()).as(forced.err()).isZero();
    assertThat(fixture.isCordoned(node)).isTrue();
    assertThat(fixture.drydock("uncordon", node).exitCode())
        .as("giving back is always allowed")
        .isZero();
    drydock("resume");
    assertThat(drydock("drain", node).exitCode()).isZero();
  }

  @Test
  void needsTheOperatorsNamespace() {
    Outcome stop = fixture.drydock("stop", "--operator-namespace", "no-such-namespace");

    assertThat(stop.exitCode()).isEqualTo(1);
    assertThat(stop.err())
        .isEqualTo(
            "error: namespace no-such-namespace does not exist; set --operator-namespace to the"
                + " operator's namespace\n");
    assertThat(fixture.drydock("resume", "--operator-namespace", "no-such-namespace").out())
        .isEqualTo("nothing was stopped\n");
  }
}

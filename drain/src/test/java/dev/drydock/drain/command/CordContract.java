package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.kube.Kube;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
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

  private CommandOutcome drydock(String... words) {
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

    CommandOutcome stop = drydock("stop", "--reason", "smoke in row 3");

    assertThat(stop.exitCode()).as(stop.err()).isZero();
    assertThat(stop.out()).isEqualTo("stopped; nothing new starts until: drydock resume\n");
    assertThat(cord())
        .containsEntry("by", "user/" + System.getProperty("user.name"))
        .containsEntry("reason", "smoke in row 3")
        .containsKey("since");
    assertThat(drydock("stop", "--reason", "fire").exitCode()).isZero();
    assertThat(cord()).containsEntry("reason", "fire");
    assertThat(drydock("stop").exitCode()).isZero();
    assertThat(cord()).as("asked again, without a reason").containsEntry("reason", "fire");
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
      CommandOutcome stop = drydock("stop", "--wait", "1s");

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
  void isObeyedByWhoeverWatchesIt() {
    try (Kube kube = Kube.of(fixture.client());
        DrainEngine engine = new DrainEngine(kube)) {
      new AndonCord(kube, fixture.namespace()).govern(engine, () -> {});
      fixture.eventually().until(() -> engine.stopped().isEmpty());

      drydock("stop", "--reason", "smoke");
      fixture
          .eventually()
          .until(
              () -> engine.stopped().orElse(""),
              why -> why.startsWith("stopped by user/") && why.contains(": smoke; run 'drydock"));

      drydock("resume");
      fixture.eventually().until(() -> engine.stopped().isEmpty());
    }
  }

  @Test
  void keepsADrainFromBeginningUnlessItIsIgnored() {
    String node = fixture.addNode();
    drydock("stop", "--reason", "smoke");

    CommandOutcome refused = drydock("drain", node);

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

    CommandOutcome forced = drydock("drain", node, "--ignore-stop");

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
    CommandOutcome stop = fixture.drydock("stop", "--operator-namespace", "no-such-namespace");

    assertThat(stop.exitCode()).isEqualTo(1);
    assertThat(stop.err())
        .isEqualTo(
            "error: namespace no-such-namespace does not exist; set --operator-namespace to the"
                + " operator's namespace, or if there is no operator yet, run:"
                + " kubectl create namespace no-such-namespace\n");
    assertThat(fixture.drydock("resume", "--operator-namespace", "no-such-namespace").out())
        .isEqualTo("nothing was stopped\n");
  }
}

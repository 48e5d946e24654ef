package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.stop.AndonCord;
import dev.drydock.drain.stop.StopAcknowledgement;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.drain.stop.UnelectedLease;
import dev.drydock.kube.Election;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who sees the andon cord, and what counts when nobody does. */
class AndonCordSightTest {
  private final AtomicBoolean cutOff = new AtomicBoolean();
  private final TestCluster cluster =
      TestCluster.simulated(
          SimulatedCluster.Settings.defaults()
              .withHook(
                  new CallInterceptor() {
                    @Override
                    public void before(Call call) {
                      if (cutOff.get() && call.resource().equals("configmaps")) {
                        throw new StatusException(503, "ServiceUnavailable", "cut off");
                      }
                    }
                  }));
  private final TestProcess process = cluster.process();
  private final DrainEngine engine = new DrainEngine(process.kube());

  @AfterEach
  void close() {
    engine.close();
    process.kill();
    cluster.close();
  }

  @Test
  void countsAsPulledAfterSomeMinutesWithoutSight() {
    new AndonCord(process.kube(), "default").govern(engine, () -> {});
    cluster.eventually().until(() -> engine.stopped().isEmpty());

    cutOff.set(true);
    cluster.pass(Duration.ofMinutes(8)); // its watch has ended, and cannot begin again
    assertThat(engine.stopped()).as("a moment without sight stops nobody").isEmpty();
    cluster.pass(Duration.ofMinutes(4));
    assertThat(engine.stopped().orElse("")).contains("cannot read the andon cord", "cut off");

    cutOff.set(false);
    cluster.eventually().until(() -> engine.stopped().isEmpty());
  }

  @Test
  void aCordWhoseNamespaceIsDeletedIsNotReleased() {
    Namespace ops = new NamespaceBuilder().withNewMetadata().withName("ops").endMetadata().build();
    var _ = cluster.client().resource(ops).create();
    AndonCord cord = new AndonCord(process.kube(), "ops");
    var _ = cord.pull("a test", "smoke");
    cord.govern(engine, () -> {});
    cluster.eventually().until(() -> engine.stopped().orElse("").contains("smoke"));

    var _ = cluster.client().resource(ops).delete();
    cluster.eventually().until(() -> cord.read().isEmpty());
    cluster.pass(Duration.ofMinutes(1));
    assertThat(engine.stopped().orElse("")).contains("smoke");

    cluster.eventually().until(() -> cluster.client().namespaces().withName("ops").get() == null);
    var _ = cluster.client().resource(ops).create();
    cluster.eventually().until(() -> engine.stopped().isEmpty());
  }

  @Test
  void whoeverHoldsALeaseSaysThatItHasSeenTheStop() {
    Election election =
        new Election(
            process.kube(),
            new Election.LeaseSettings(
                "default",
                StopWitnesses.OPERATOR_LEASE,
                "me",
                Duration.ofSeconds(15),
                Duration.ofSeconds(2)),
            () -> {},
            () -> {});
    try (StopAcknowledgement _ = new StopAcknowledgement(process.kube(), "default", election)) {
      election.start();
      cluster.pass(Duration.ofSeconds(5));
      assertThat(seen()).isEmpty();

      var _ = new AndonCord(process.kube(), "default").pull("a test", "smoke");
      String version = new AndonCord(process.kube(), "default").version().orElseThrow();
      cluster.pass(Duration.ofSeconds(1));
      assertThat(seen()).contains(version);

      assertThat(new AndonCord(process.kube(), "default").release()).isTrue();
      cluster.pass(Duration.ofSeconds(1));
      assertThat(seen()).isEmpty();
    }
  }

  /** Nothing is left of its Lease, nor of one whose process died long ago. */
  @Test
  void anOperatorWithoutElectionSaysThatItHasSeenTheStop() {
    UnelectedLease died = new UnelectedLease(process.kube(), "default", "host_died");
    died.start();
    cluster.pass(Duration.ofSeconds(5));
    process.kill();
    cluster.pass(Duration.ofHours(2));
    TestProcess next = cluster.process();
    UnelectedLease lease = new UnelectedLease(next.kube(), "default", "host_alive");
    lease.start();
    AndonCord cord = new AndonCord(next.kube(), "default");
    var _ = cord.pull("a test", "smoke");
    String version = cord.version().orElseThrow();
    cluster.pass(Duration.ofSeconds(5));

    assertThat(cluster.client().leases().inNamespace("default").list().getItems())
        .singleElement()
        .satisfies(
            only -> {
              assertThat(only.getMetadata().getName()).isEqualTo("drydock-operator-alive");
              assertThat(only.getSpec().getHolderIdentity()).isEqualTo("host_alive");
              assertThat(only.getMetadata().getAnnotations())
                  .containsEntry("drydock.dev/stop-seen", version);
            });
    lease.close();
    assertThat(cluster.client().leases().inNamespace("default").list().getItems()).isEmpty();
    next.kill();
  }

  private Optional<String> seen() {
    return Optional.ofNullable(
            cluster
                .client()
                .leases()
                .inNamespace("default")
                .withName(StopWitnesses.OPERATOR_LEASE)
                .require()
                .getMetadata()
                .getAnnotations())
        .map(annotations -> annotations.get("drydock.dev/stop-seen"));
  }
}

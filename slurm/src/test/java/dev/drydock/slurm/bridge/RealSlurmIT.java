package dev.drydock.slurm.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.slurm.RealSlurm;
import dev.drydock.slurm.SlurmFixture;
import dev.drydock.slurm.SlurmFixture.Drainer;
import dev.drydock.slurm.bridge.rest.SlurmRestApi;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Slurm behind slurmrestd; its workers are pods of a simulated cluster, in real time. */
class RealSlurmIT {
  private static final String DRAIN = "SlurmNodeStateDrain";
  private static final String WHY = "[T] [NVSentinel] 79 GPU:0 - it \"fell\" off the bus";

  @TempDir private Path folder = Path.of("");
  private final Map<String, String> nodes = new HashMap<>();

  private SlurmRestApi api(RealSlurm slurm, Path token, Optional<String> version) {
    return new SlurmRestApi(
        new SlurmRestApi.Options(slurm.url(), "root", token, version, Optional.empty()),
        TimeSource.REAL.clock());
  }

  private static SlurmBridge bridge(TestProcess process, SlurmApi api) {
    SlurmBridge bridge =
        new SlurmBridge(
            process.kube(),
            api,
            new SlurmBridge.Options(
                Resource.PODS
                    .in(SlurmFixture.SLINKY)
                    .labelSelector("app.kubernetes.io/name=slurmd"),
                Duration.ofMillis(200),
                "drydock-system"),
            new SimpleMeterRegistry());
    bridge.start();
    return bridge;
  }

  private static String message(SlurmFixture fixture, String pod) {
    return fixture.pod(pod).stream()
        .flatMap(each -> each.getStatus().getConditions().stream())
        .filter(each -> each.getType().equals(DRAIN))
        .map(PodCondition::getMessage)
        .findFirst()
        .orElse("");
  }

  private static void eventuallyDrain(SlurmFixture fixture, String pod, String status) {
    eventuallyDrain(fixture, pod, status, "");
  }

  /**
   * The same, for this reason: a pod that was unknown before may still say why.
   *
   * @param why part of the message
   */
  private static void eventuallyDrain(SlurmFixture fixture, String pod, String status, String why) {
    fixture
        .eventually()
        .untilAsserted(
            () -> {
              assertThat(fixture.condition(pod, DRAIN)).isEqualTo(status);
              assertThat(message(fixture, pod)).contains(why);
            });
  }

  @Test
  void jobsRunOnNodesDrainAfterThemAndFailuresAreNamed() throws IOException {
    RealSlurm.require();
    Path token = folder.resolve("token");
    try (RealSlurm slurm = RealSlurm.start(folder);
        SlurmFixture fixture =
            new SlurmFixture(
                TestCluster.simulated(
                    SimulatedCluster.running(SimulatedCluster.Settings.defaults())),
                SlurmFixture.DEFINITION);
        TestProcess process = fixture.cluster().process(RequestInterceptor.NONE)) {
      Files.writeString(token, slurm.token(3600));
      for (String worker : new String[] {"n1", "n2", "n3", "n4", "ghost"}) {
        nodes.put(worker, fixture.addNode());
        fixture.worker(worker, nodes.get(worker) + "");
      }
      everyVersionDrainsAndResumes(slurm, token);
      try (SlurmRestApi api = api(slurm, token, Optional.empty());
          SlurmBridge bridge = bridge(process, api);
          Drainer _ = fixture.drainer()) {
        aJobRunsToItsEndBeforeItsWorkerIsDeleted(slurm, fixture);
        theControllerIsRestarted(slurm, fixture);
        slurmrestdIsDown(slurm, fixture, bridge);
        theTokenExpires(slurm, fixture, bridge, token);
        aNodeIsUnknown(fixture, api);
        aDrainMadeInSlurmStays(slurm, fixture);
      }
    }
  }

  private void everyVersionDrainsAndResumes(RealSlurm slurm, Path token) {
    for (String version : SlurmRestApi.VERSIONS) {
      try (SlurmRestApi api = api(slurm, token, Optional.of(version))) {
        api.drain("n3", WHY);
        assertThat(api.look().nodes().get("n3"))
            .matches(node -> node.isDrain() && node.reason().equals(WHY), version);
        api.resume("n3");
        assertThat(api.look().nodes().get("n3")).matches(node -> !node.isDrain(), version);
      }
    }
  }

  private void aJobRunsToItsEndBeforeItsWorkerIsDeleted(RealSlurm slurm, SlurmFixture fixture) {
    String node = nodes.get("n1") + "";
    String job = slurm.job("n1", "120");
    fixture
        .eventually()
        .until(
            () ->
                fixture
                    .pod("n1")
                    .orElseThrow()
                    .getMetadata()
                    .getAnnotations()
                    .getOrDefault("nodeset.slinky.slurm.net/pod-deadline", ""),
            text ->
                !text.isEmpty()
                    && Instant.parse(text).isAfter(TimeSource.REAL.now().plusSeconds(500)));
    fixture.request("by-hand", node);
    fixture
        .eventually()
        .until(
            () -> slurm.state("n1"),
            state -> state.startsWith("allocated") && state.contains("drain"));
    fixture
        .eventually()
        .until(() -> fixture.message("by-hand"), text -> text.contains("SlurmNodeStateAllocated"));
    assertThat(slurm.jobState(job)).isEqualTo("RUNNING");
    assertThat(fixture.pod("n1")).isPresent();

    slurm.endJobs();

    fixture
        .eventually()
        .until(() -> fixture.answer("by-hand", "Complete"), "True DrainComplete"::equals);
    assertThat(slurm.jobState(job)).isEqualTo("COMPLETED");
    assertThat(fixture.pod("n1")).isEmpty();
    assertThat(fixture.events("by-hand"))
        .contains("SlurmDrained slinky/n1: SlurmNodeStateDrain=True (NodeCordoned)");
    fixture.eventually().until(() -> slurm.state("n1"), state -> !state.contains("drain"));
  }

  private void theControllerIsRestarted(RealSlurm slurm, SlurmFixture fixture) {
    fixture.annotate(nodes.get("n2") + "", WHY);
    eventuallyDrain(fixture, "n2", "True");
    slurm.run("stop_controller && start_controller");
    fixture.eventually().until(() -> slurm.state("n2"), state -> state.contains("drain"));
    fixture.annotate(nodes.get("n2") + "", null);
    eventuallyDrain(fixture, "n2", "False");
    assertThat(slurm.state("n2")).doesNotContain("drain");
  }

  private void slurmrestdIsDown(RealSlurm slurm, SlurmFixture fixture, SlurmBridge bridge) {
    fixture.annotate(nodes.get("n3") + "", WHY);
    eventuallyDrain(fixture, "n3", "True");
    slurm.run("stop_rest");
    eventuallyDrain(fixture, "n3", "Unknown", "does not answer");
    assertThat(message(fixture, "n3")).contains("slurmrestd at");
    assertThat(bridge.unready()).isPresent();
    slurm.run("start_rest");
    eventuallyDrain(fixture, "n3", "True");
    fixture.eventually().until(() -> bridge.unready().isEmpty());
  }

  private void theTokenExpires(
      RealSlurm slurm, SlurmFixture fixture, SlurmBridge bridge, Path token) throws IOException {
    Files.writeString(token, slurm.token(1));
    fixture
        .eventually()
        .until(bridge::unready, why -> why.filter(text -> text.contains("expired at")).isPresent());
    eventuallyDrain(fixture, "n3", "Unknown", "the token in " + token);
    Files.writeString(token, slurm.token(3600));
    eventuallyDrain(fixture, "n3", "True");
  }

  private void aNodeIsUnknown(SlurmFixture fixture, SlurmRestApi api) {
    fixture.annotate(nodes.get("ghost") + "", WHY);
    eventuallyDrain(fixture, "ghost", "Unknown", "Slurm has no node ghost");
    assertThatThrownBy(() -> api.drain("ghost", WHY))
        .isInstanceOf(SlurmFailure.class)
        .hasMessage("Slurm: Failure to update node ghost: Invalid node name specified");
  }

  private void aDrainMadeInSlurmStays(RealSlurm slurm, SlurmFixture fixture) {
    slurm.run("run scontrol update nodename=n4 state=drain reason='[HC] disk'");
    eventuallyDrain(fixture, "n4", "True", "[HC] disk");
    fixture.annotate(nodes.get("n4") + "", WHY);
    fixture.annotate(nodes.get("n3") + "", null);
    eventuallyDrain(fixture, "n3", "False");
    fixture.annotate(nodes.get("n4") + "", null);
    fixture
        .eventually()
        .holdsFor(Duration.ofSeconds(1), () -> assertThat(slurm.state("n4")).contains("drain"));
  }
}

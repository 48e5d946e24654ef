package dev.drydock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VirtualClusterTest {
  private final TestCluster cluster = TestCluster.simulated();

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aWatchInAProcessSeesWhatTheClusterDoesOnceTimePasses() {
    TestProcess process = cluster.process();
    Watch<String> nodes =
        process
            .kube()
            .watches()
            .of(
                Watch.Kind.of(
                    Resource.NODES.all(), node -> node.path("metadata").path("name").asText()),
                Watch.Listener.waking(() -> {}))
            .start();

    String name = cluster.addNode("rack");
    assertThat(nodes.state().items()).isEmpty();
    cluster.eventually().until(() -> nodes.state().items().contains(name));
    cluster.client().nodes().withName(name).delete();
    cluster.eventually().until(() -> nodes.state().items().isEmpty());

    // longer than the server keeps a watch open: it is resumed
    cluster.pass(Duration.ofHours(1));
    String other = cluster.addNode("row");
    cluster.eventually().until(() -> nodes.state().items().equals(List.of(other)));
  }

  private static Watch<String> names(Kube kube, Resource kind) {
    return kube.watches()
        .of(
            Watch.Kind.of(kind.all(), each -> each.path("metadata").path("name").asText()),
            Watch.Listener.waking(() -> {}))
        .start();
  }

  @Test
  void aWatchThatMeetsABugHoldsUpNoOther() {
    LoopBug bug = new LoopBug().at(call -> call.path().startsWith("/api/v1/nodes"));
    Kube kube = cluster.process(bug).kube();
    String node = cluster.addNode("rack");
    cluster.runPod("default", "web", node);

    Watch<String> nodes = names(kube, Resource.NODES);
    Watch<String> pods = names(kube, Resource.PODS);

    bug.staysIn(
        "watch",
        kube,
        cluster.eventually(),
        () -> {
          assertThat(pods.state().items()).containsExactly("web");
          assertThat(nodes.state().unsynced()).isPresent();
        },
        () -> assertThat(nodes.state().items()).containsExactly(node));
  }

  @Test
  void nothingRunsInAProcessThatDied() {
    List<Instant> steps = new ArrayList<>();
    TestProcess process = cluster.process(DyingProcess.atWrite(2, false));
    ControlLoop loop =
        process
            .kube()
            .loop(
                "writes",
                () -> {
                  steps.add(cluster.clock().instant());
                  var _ =
                      process
                          .kube()
                          .http()
                          .send(ApiCall.create(Resource.CONFIG_MAPS.collection("default"), "{}"));
                  return cluster.clock().instant().plusSeconds(1);
                });

    loop.wake();
    cluster.pass(Duration.ofMinutes(1));

    assertThat(steps).hasSize(2);
    assertThat(process.isDead()).isTrue();
  }
}

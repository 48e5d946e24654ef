package dev.drydock.lifecycle.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.testkit.TestCluster;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeTransitionReporterTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final TransitionHistory.Entry ENTRY =
      new TransitionHistory.Entry("event", "uid", "drain", "Succeeded", THEN, THEN, "drained");

  private final TestCluster cluster = TestCluster.simulated();
  private final KubeHttp other = cluster.process().kube().http();
  private final String node = cluster.addNode("n");
  private boolean busy = true;
  private int changes;

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Another client changes the node before each write. */
  private final class BusyNode implements RequestInterceptor {
    @Override
    public void before(ApiCall call) {
      if (busy && call.verb() == ApiCall.Verb.PATCH) {
        String patch =
            "{\"metadata\": {\"annotations\": {\"changes\": \"%d\"}}}".formatted(++changes);
        var _ = other.send(ApiCall.mergePatch(Resource.NODES.path("", node), patch)).orThrow(node);
      }
    }

    @Override
    public void after(ApiCall call, int code) {}
  }

  @Test
  void anOutcomeThatCouldNotBeWrittenIsNotTakenForWritten() {
    NodeTransitionReporter reporter =
        new NodeTransitionReporter(cluster.process(new BusyNode()).kube());

    assertThatThrownBy(() -> reporter.keep(node, ENTRY)).isInstanceOf(ApiFailure.class);
    assertThat(changes).isGreaterThan(1);

    busy = false;
    assertThat(reporter.keep(node, ENTRY)).isTrue();
    assertThat(reporter.keep(node, ENTRY)).isFalse();
  }
}

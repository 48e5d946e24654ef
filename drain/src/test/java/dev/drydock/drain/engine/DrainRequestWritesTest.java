package dev.drydock.drain.engine;

import static dev.drydock.drain.engine.DrainRequestFixture.FORCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.TestCluster;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How often the status of a DrainRequest is written, in virtual time. */
class DrainRequestWritesTest {
  private final TestCluster cluster = TestCluster.simulated();
  private final DrainFixture fixture = new DrainFixture(cluster, "default");
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private final DrainEngine engine =
      fixture.engine(
          new RequestInterceptor() {
            @Override
            public void before(ApiCall call) {
              if (call.path().endsWith("/drainrequests/short/status")) {
                writes.add(String.valueOf(call.body()));
              }
            }

            @Override
            public void after(ApiCall call, int code) {}
          });

  @AfterEach
  void close() {
    engine.close();
    fixture.close();
  }

  @Test
  void ofADrainWithinASecondOnlyBeginningAndEndAreWritten() {
    String node = fixture.node();
    fixture.pods(node, "web", 5);
    DrainFixture.serve(engine);

    fixture.requests().request("short", node, FORCE);

    fixture.requests().awaitComplete("short", "True DrainComplete");
    assertThat(writes)
        .satisfiesExactly(
            begun -> assertThat(begun).contains("\"Draining\"").contains("\"podsGone\":0"),
            ended -> assertThat(ended).contains("\"DrainComplete\"").contains("\"podsGone\":5"));
  }
}

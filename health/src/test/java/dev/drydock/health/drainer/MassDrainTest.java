package dev.drydock.health.drainer;

import static dev.drydock.health.drainer.NodeDrainerFixture.IMMEDIATE;
import static dev.drydock.health.drainer.NodeDrainerFixture.fault;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.drainer.NodeDrainerFixture.Operator;
import dev.drydock.sim.SimulatedCluster.Settings;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many nodes fail at once, and more changes than the API server remembers. */
class MassDrainTest {
  private static final int NODES = 30;
  private static final int PODS_PER_NODE = 4;

  /** Counts the watches that were told to list again. */
  private static final class Expired implements CallInterceptor {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public Lines lines(Call call, Lines lines) {
      return line -> send(line, lines);
    }

    private void send(JsonNode line, Lines lines) throws IOException {
      if (line.path("object").path("code").asInt() == 410) {
        count.incrementAndGet();
      }
      lines.send(line);
    }
  }

  @Test
  void drainsGoOnWhenTheApiServerHasForgottenWhatWatchesKnow() {
    Expired expired = new Expired();
    try (NodeDrainerFixture fixture =
        NodeDrainerFixture.simulated(Settings.defaults().withHistory(1).withHook(expired))) {
      List<HealthEvent> faults = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        String node = fixture.addNode();
        faults.add(fault(node).build());
        for (int pod = 0; pod < PODS_PER_NODE; pod++) {
          fixture.pod(node, "web-%d-%d".formatted(i, pod));
        }
      }
      try (Operator _ = fixture.operator(IMMEDIATE)) {
        List<String> ids = fixture.store.append(faults).ids();

        ids.forEach(id -> fixture.eventuallyDrain(id, "Succeeded"));

        assertThat(faults).allSatisfy(each -> assertThat(fixture.pods(each.nodeName())).isEmpty());
        assertThat(expired.count).as("watches that were too late").hasPositiveValue();
      }
    }
  }
}

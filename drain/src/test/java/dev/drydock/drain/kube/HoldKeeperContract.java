package dev.drydock.drain.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.decide.Hold;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds that nobody else ends. */
abstract class HoldKeeperContract extends EngineContract {
  private TestRequests requests;

  @BeforeEach
  void open() {
    requests = scene.requests();
  }

  @Test
  void keepsHoldsInOrder() {
    String over = scene.node();
    String overruled = scene.node();
    String orphaned = scene.node();
    String kept = scene.node();
    Instant now = Instant.now();
    Hold staying = Hold.of("test/keeper", "a test", now);
    engine.holds().place(over, staying.until(now.plusSeconds(2)));
    engine.holds().place(kept, staying);
    engine.holds().place(orphaned, Hold.of("drainrequest/" + scene.namespace + "/no", "", now));
    engine.keepHolds();

    Scene.eventually().until(() -> requests.schedulable(over));
    Scene.eventually().until(() -> requests.schedulable(orphaned));
    engine.holds().place(overruled, staying);
    scene.kubectl("uncordon", overruled);
    Scene.eventually().until(() -> engine.holds().read(overruled).byHolder().isEmpty());
    assertThat(engine.holds().read(kept).heldBy("test/keeper")).isTrue();
    Scene.eventually()
        .until(
            () -> scene.events(over),
            events -> events.stream().anyMatch(e -> e.getReason().equals("HoldExpired")));
  }
}

package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.request.DrainRequestController;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds that nobody else ends. */
abstract class HoldControllerContract extends EngineContract {
  private DrainRequestFixture requests;

  @BeforeEach
  void open() {
    requests = fixture.requests();
  }

  @Test
  void keepsHoldsInOrder() {
    String over = fixture.node();
    String overruled = fixture.node();
    String orphaned = fixture.node();
    String kept = fixture.node();
    Instant now = fixture.now();
    Hold staying = Hold.of("test/keeper", "a test", now);
    engine.holds().place(over, staying.until(now.plusSeconds(2)));
    engine.holds().place(kept, staying);
    engine.holds().place(orphaned, Hold.of("drainrequest/" + fixture.namespace + "/no", "", now));
    DrainFixture.keepHolds(engine, List.of(DrainRequestController.HOLD_OWNER));

    fixture.eventually().until(() -> requests.schedulable(over));
    fixture.eventually().until(() -> requests.schedulable(orphaned));
    engine.holds().place(overruled, staying);
    fixture.kubectl("uncordon", overruled);
    fixture.eventually().until(() -> engine.holds().read(overruled).byHolder().isEmpty());
    assertThat(engine.holds().read(kept).heldBy("test/keeper")).isTrue();
    fixture
        .eventually()
        .until(
            () -> fixture.events(over),
            events -> events.stream().anyMatch(e -> e.getReason().equals("HoldExpired")));
  }
}

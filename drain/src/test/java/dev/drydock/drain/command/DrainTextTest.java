package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.NaturalOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Details that make text readable. */
class DrainTextTest {
  @Test
  void namesAreOrderedAsPeopleCount() {
    assertThat(
            Stream.of("node-10", "node-2", "gpu", "node-1", "node-02", "node-2-b")
                .sorted(NaturalOrder.INSTANCE))
        .containsExactly("gpu", "node-1", "node-02", "node-2", "node-2-b", "node-10");
  }
}

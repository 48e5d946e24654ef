package dev.drydock.sim.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class VersionPriorityTest {
  @Test
  void stableVersionsComeFirstAndNewerBeforeOlder() {
    assertThat(
            Discovery.byPriority(
                List.of(
                    "v1alpha1",
                    "foo",
                    "v1beta2",
                    "v2",
                    "v10",
                    "v1",
                    "v1beta10",
                    "bar",
                    "v2alpha1")))
        .containsExactly(
            "v10", "v2", "v1", "v1beta10", "v1beta2", "v2alpha1", "v1alpha1", "bar", "foo");
  }
}

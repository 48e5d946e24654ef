package dev.drydock.serve.feature;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import org.junit.jupiter.api.Test;

class ProcessHeapTest {
  private static final long MEBIBYTE = 1 << 20;

  @Test
  void aHeapThatIsTooSmallSaysWhichLimitToRaise() {
    assertThatThrownBy(() -> ProcessHeap.check("operator", 128, 28 * MEBIBYTE))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(
            "too little memory: its heap has at most 28 MiB, and the operator should have 128 MiB:"
                + " raise the memory limit of the container, of which 60% is heap, or outside of"
                + " containers DRYDOCK_HEAP");
  }

  @Test
  void aSmallHeapIsEnoughToStart() {
    assertThatCode(() -> ProcessHeap.check("operator", 128, 56 * MEBIBYTE))
        .doesNotThrowAnyException();
  }
}

package dev.drydock.slurm.drainer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Entity;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CordonReasonTest {
  private static DrainRequestSpec spec(
      @Nullable String check,
      @Nullable String reason,
      @Nullable List<String> codes,
      @Nullable List<Entity> entities) {
    return new DrainRequestSpec(
        "n1", check, null, null, reason, codes, entities, null, null, null, null);
  }

  private static List<Entity> gpus(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Entity("GPU", "" + i)).toList();
  }

  @Test
  void namesCodesComponentsAndTheReason() {
    assertThat(CordonReason.of(spec("c", "Manual drain test", List.of("TEST-001"), null)))
        .isEqualTo("[T] [NVSentinel] TEST-001 - Manual drain test");
    assertThat(CordonReason.of(spec("c", "r", List.of("79", "48"), gpus(2))))
        .isEqualTo("[T] [NVSentinel] 79,48 GPU:0,GPU:1 - r");
  }

  @Test
  void fallsBackToTheCheckAndThenToAFixedText() {
    assertThat(CordonReason.of(spec("GpuXidError", null, null, null)))
        .isEqualTo("[T] [NVSentinel] - GpuXidError");
    assertThat(CordonReason.of(spec(null, "", List.of(), List.of())))
        .isEqualTo("[T] [NVSentinel] - Health check failed");
  }

  @Test
  void showsThreeComponentsAndHowManyMore() {
    assertThat(CordonReason.of(spec("c", "r", null, gpus(3))))
        .isEqualTo("[T] [NVSentinel] GPU:0,GPU:1,GPU:2 - r");
    assertThat(CordonReason.of(spec("c", "r", null, gpus(5))))
        .isEqualTo("[T] [NVSentinel] GPU:0,GPU:1,GPU:2,+2 more - r");
    assertThat(CordonReason.of(spec("c", "r", null, List.of(new Entity(null, null)))))
        .isEqualTo("[T] [NVSentinel] : - r");
  }
}

package dev.drydock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessMemoryTest {
  @Test
  void aRunningProcessHasResidentMemoryAndAPeakNoSmaller() {
    long pid = ProcessHandle.current().pid();

    long resident = ProcessMemory.resident(pid).orElseThrow();

    assertThat(resident).isPositive();
    assertThat(ProcessMemory.peak(pid).orElseThrow()).isGreaterThanOrEqualTo(resident);
  }

  @Test
  void aProcessThatDoesNotExistHasNone() {
    assertThat(ProcessMemory.peak(Long.MAX_VALUE)).isEmpty();
  }
}

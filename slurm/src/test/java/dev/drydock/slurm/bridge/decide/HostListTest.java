package dev.drydock.slurm.bridge.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {
  @Test
  void expandsNamesRangesAndLists() {
    assertThat(HostList.names("")).isEmpty();
    assertThat(HostList.names("n1")).containsExactly("n1");
    assertThat(HostList.names("n1,gpu-a")).containsExactly("n1", "gpu-a");
    assertThat(HostList.names("n[1-3,7],login")).containsExactly("n1", "n2", "n3", "n7", "login");
    assertThat(HostList.names("gpu-[008-010]")).containsExactly("gpu-008", "gpu-009", "gpu-010");
    assertThat(HostList.names("r[1-2]n[3-4]x")).containsExactly("r1n3x", "r1n4x", "r2n3x", "r2n4x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"n[1-", "n]1[", "n[a-b]", "n[2-1]", "n[1-999999999]", "n[[1]]", "n[]", "n[1-2-3]"})
  void refusesWhatIsNoList(String list) {
    assertThatThrownBy(() -> HostList.names(list)).isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Numbers and texts that other programs know. */
class NodeDrainStateTest {
  @Test
  void numbersAndTextsAreThoseOfEve() {
    assertThat(Arrays.stream(NodeDrainState.values()).map(each -> each.number() + " " + each))
        .containsExactly(
            "0 Unknown",
            "1 Not Supported",
            "2 Not Requested",
            "3 Requested",
            "4 Starting",
            "5 Cordoned",
            "6 Failed Cordon",
            "7 Drain Retrying",
            "8 Failed Drain",
            "9 Complete");
    assertThat(Arrays.stream(DrainRequester.values()).map(each -> each.number() + " " + each))
        .containsExactly("1 NONE", "2 DEVICEOP", "3 UPDATE");
    assertThat(NodeDrainState.of(10)).isEmpty();
    assertThat(DrainRequester.of(0)).isEmpty();
  }

  @Test
  void theConsoleHearsWhatMatters() {
    assertThat(Arrays.stream(NodeDrainState.values()).map(each -> each.consoleLine().orElse("-")))
        .containsExactly(
            "-",
            "-",
            "INFO: Node Drain -> Not Requested",
            "INFO: Node Drain -> Requested",
            "INFO: Node Drain -> Starting",
            "INFO: Node Drain -> Cordoned",
            "ERROR: Node Drain -> Failed Cordon",
            "WARNING: Node Drain -> Drain Retrying",
            "ERROR: Node Drain -> Failed Drain",
            "INFO: Node Drain -> Complete");
  }
}

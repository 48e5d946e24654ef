package dev.drydock.drain.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NaturalOrderTest {
  @Test
  void numbersCountAsNumbers() {
    List<String> sorted =
        List.of(
            "",
            "1",
            "2",
            "10",
            "a",
            "a01",
            "a1b",
            "a1b2",
            "a1c",
            "a2",
            "node-2",
            "node-10",
            "node-10-x",
            "node-99999999999999999999",
            "node-100000000000000000000",
            "nodes");
    List<String> shuffled = new ArrayList<>(sorted);
    Collections.shuffle(shuffled, new Random(1));

    shuffled.sort(NaturalOrder.INSTANCE);

    assertThat(shuffled).isEqualTo(sorted);
  }

  @Test
  void onlyEqualNamesTie() {
    assertThat(NaturalOrder.INSTANCE.compare("n-01", "n-1")).isNotZero();
    assertThat(NaturalOrder.INSTANCE.compare("n-01", "n-1"))
        .isEqualTo(-NaturalOrder.INSTANCE.compare("n-1", "n-01"));
    assertThat(NaturalOrder.INSTANCE.compare("n-1", "n-1")).isZero();
  }
}

package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LabelValueTest {
  private static final String LEGAL = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

  @Test
  void aNameOfAnyLengthBecomesALegalValueOfItsOwn() {
    Set<String> values = new HashSet<>();
    for (int length = 1; length <= 253; length++) {
      // wherever it is cut, there is a dot or a dash somewhere
      String name = "a.b-".repeat(64).substring(0, length - 1) + "z";
      String value = LabelValue.of(name);
      assertThat(value).as(name).matches(LEGAL);
      assertThat(values.add(value)).as("one of its own: " + name).isTrue();
    }
    assertThat(LabelValue.of("n".repeat(63))).isEqualTo("n".repeat(63));
  }
}

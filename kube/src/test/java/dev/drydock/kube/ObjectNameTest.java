package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObjectNameTest {
  @Test
  void aNameThatIsTooLongIsCutAndStaysDifferentFromOthers() {
    String longest = "n".repeat(253);
    assertThat(ObjectName.of(longest)).isEqualTo(longest);
    assertThat(ObjectName.of(longest + "a")).hasSize(253).startsWith("n".repeat(244) + "-");
    assertThat(ObjectName.of(longest + "a")).isNotEqualTo(ObjectName.of(longest + "b"));
    assertThat(ObjectName.of("n".repeat(240) + "-.-.".repeat(9))).matches("n{240}-[0-9a-f]{8}");
  }
}

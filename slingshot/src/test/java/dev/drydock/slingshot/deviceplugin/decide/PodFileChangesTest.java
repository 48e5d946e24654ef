package dev.drydock.slingshot.deviceplugin.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.deviceplugin.decide.PodFileChanges.Given;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodFileChangesTest {
  @Test
  void allContainersOfAPodAreInOneFile() {
    assertThat(
            PodFileChanges.of(
                List.of(
                    new Given("uid-1", List.of("cxi1")),
                    new Given("uid-2", List.of("cxi0")),
                    new Given("uid-1", List.of("cxi0", "cxi1"))),
                Map.of()))
        .isEqualTo(
            new PodFileChanges(Map.of("uid-1", "cxi0\ncxi1\n", "uid-2", "cxi0\n"), Set.of()));
  }

  @Test
  void whatIsThereIsNotWrittenAgain() {
    assertThat(
            PodFileChanges.of(
                List.of(new Given("uid-1", List.of("cxi0"))), Map.of("uid-1", "cxi0\n")))
        .isEqualTo(new PodFileChanges(Map.of(), Set.of()));
  }

  @Test
  void filesOfPodsThatAreGoneAreRemoved() {
    assertThat(
            PodFileChanges.of(
                List.of(new Given("uid-1", List.of("cxi0")), new Given("uid-3", List.of())),
                Map.of("uid-1", "cxi1\n", "uid-2", "cxi0\n", "uid-3", "cxi0\n")))
        .isEqualTo(new PodFileChanges(Map.of("uid-1", "cxi0\n"), Set.of("uid-2", "uid-3")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "../etc/passwd", ".hidden", "a/b"})
  void aNameThatIsNoUidIsNoFile(String uid) {
    assertThat(PodFileChanges.of(List.of(new Given(uid, List.of("cxi0"))), Map.of()).write())
        .isEmpty();
  }
}

package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.decide.ActiveDriver.Candidate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ActiveDriverTest {
  private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATE = Instant.parse("2026-01-02T00:00:00Z");

  @Test
  void theOldestWinsAndTiesAreByNameWhateverTheOrder() {
    List<Candidate> all =
        new ArrayList<>(
            List.of(
                new Candidate("b", EARLY, false),
                new Candidate("a", EARLY, false),
                new Candidate("0", LATE, false)));
    Random random = new Random(7);
    for (int i = 0; i < 20; i++) {
      Collections.shuffle(all, random);
      assertThat(ActiveDriver.of("", all)).contains("a");
    }
  }

  @Test
  void theRecordedOneStaysAlthoughItIsYounger() {
    List<Candidate> all =
        List.of(new Candidate("old", EARLY, false), new Candidate("new", LATE, false));
    assertThat(ActiveDriver.of("new", all)).contains("new");
    assertThat(ActiveDriver.of("gone", all)).contains("old");
  }

  @Test
  void oneThatIsBeingDeletedIsNeverActive() {
    assertThat(
            ActiveDriver.of(
                "old",
                List.of(new Candidate("old", EARLY, true), new Candidate("new", LATE, false))))
        .contains("new");
    assertThat(ActiveDriver.of("old", List.of(new Candidate("old", EARLY, true)))).isEmpty();
    assertThat(ActiveDriver.of("old", List.of())).isEmpty();
  }
}

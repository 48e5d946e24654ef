package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every request that may be published, whoever published it. */
class OwnRequestsTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = THEN.plusSeconds(60);
  private static final OwnRequests NONE = new OwnRequests(Map.of());

  /** Earlier or now, for the same or another operation. */
  private static List<NodeDrainRequest> all(DrainRequester by) {
    return List.of(
        new NodeDrainRequest(THEN, by, "one"),
        new NodeDrainRequest(NOW, by, "one"),
        new NodeDrainRequest(THEN, by, "two"),
        new NodeDrainRequest(NOW, by, "two"));
  }

  @Test
  void onlyOurOwnRequestIsReplacedAndThatOfADeviceOperationServesTheOthers() {
    for (DrainRequester by : List.of(DrainRequester.DEVICEOP, DrainRequester.UPDATE)) {
      for (NodeDrainRequest wanted : all(by)) {
        assertThat(NONE.mustPublish(wanted, Optional.empty())).isTrue();
        for (NodeDrainRequest there : all(by)) {
          assertThat(NONE.mustPublish(wanted, Optional.of(there))).as("another's").isFalse();
          for (NodeDrainRequest own : all(by)) {
            OwnRequests ours = NONE.with(own);
            boolean sameOperation = there.context().equals(wanted.context());
            assertThat(ours.mustPublish(wanted, Optional.of(there)))
                .as("own %s, there %s, wanted %s", own, there, wanted)
                .isEqualTo(
                    own.equals(there)
                        && !there.equals(wanted)
                        && (by == DrainRequester.UPDATE || sameOperation));
            assertThat(ours.isOurs(by, Optional.of(there))).isEqualTo(own.equals(there));
            assertThat(ours.mustPublish(wanted, Optional.empty())).as("was removed").isTrue();
          }
        }
      }
    }
  }

  @Test
  void requestsThatNoOperationNeedsAreUnneeded() {
    for (int ours = 0; ours < 4; ours++) {
      for (int needed = 0; needed < 4; needed++) {
        OwnRequests own = NONE;
        for (DrainRequester by : requesters(ours)) {
          own = own.with(all(by).getFirst());
        }
        assertThat(own.unneeded(requesters(needed))).isEqualTo(requesters(ours & ~needed));
      }
    }
  }

  private static Set<DrainRequester> requesters(int bits) {
    Set<DrainRequester> all = EnumSet.noneOf(DrainRequester.class);
    if ((bits & 1) != 0) {
      all.add(DrainRequester.DEVICEOP);
    }
    if ((bits & 2) != 0) {
      all.add(DrainRequester.UPDATE);
    }
    return all;
  }

  @Test
  void aRequestIsAddedReplacedAndRemoved() {
    NodeDrainRequest first = all(DrainRequester.UPDATE).getFirst();
    NodeDrainRequest second = all(DrainRequester.UPDATE).getLast();
    OwnRequests own = NONE.with(all(DrainRequester.DEVICEOP).getFirst()).with(first).with(second);

    assertThat(own.isOurs(DrainRequester.UPDATE, Optional.of(second))).isTrue();
    assertThat(own.isOurs(DrainRequester.UPDATE, Optional.empty())).isFalse();
    assertThat(own.without(DrainRequester.UPDATE).byRequester())
        .containsOnlyKeys(DrainRequester.DEVICEOP);
  }
}

package dev.drydock.edge.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.DrainPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EdgeDrainAttemptTest {
  private static DrainPolicy policy(Duration skipWait) {
    return EdgeDrainAttempt.policy(
        new EdgeDrainAttempt.Task("node", "edge/node", "before reboot", skipWait),
        Duration.ofHours(24));
  }

  /** The options of EVE's drain: only its attempt is limited, never a pod's own grace period. */
  @Test
  void everythingIsEvictedUntilTheTimeOfTheAttemptIsOver() {
    DrainPolicy policy = policy(Duration.ofMinutes(5));

    assertThat(policy.force()).isTrue();
    assertThat(policy.daemonSets()).isEqualTo(DrainPolicy.DaemonSets.IGNORE);
    assertThat(policy.emptyDirDataMayGo()).isTrue();
    assertThat(policy.gracePeriod()).isEmpty();
    assertThat(policy.deleteInsteadOfEvict()).isFalse();
    assertThat(policy.deadline()).contains(Duration.ofHours(24));
    assertThat(policy.atDeadline()).isEqualTo(DrainPolicy.AtDeadline.FAIL);
    assertThat(policy.skipWait()).contains(Duration.ofMinutes(5));
    assertThat(policy(Duration.ZERO).skipWait().filter(Duration::isPositive)).isEmpty();
  }

  @Test
  void whatStorageNeedsToMoveItsDataStays() {
    for (String app :
        List.of(
            "csi-attacher",
            "csi-provisioner",
            "longhorn-admission-webhook",
            "longhorn-conversion-webhook",
            "longhorn-driver-deployer")) {
      assertThat(policy(Duration.ZERO).podSelector().matches(Map.of("app", app))).as(app).isFalse();
    }
    assertThat(policy(Duration.ZERO).podSelector().matches(Map.of("app", "web"))).isTrue();
    assertThat(policy(Duration.ZERO).podSelector().matches(Map.of())).isTrue();
  }
}

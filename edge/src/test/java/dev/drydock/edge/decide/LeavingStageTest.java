package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeavingStageTest {
  /** Those that a server may answer, and none. */
  private static final int[] CODES = {0, 400, 401, 403, 404, 408, 409, 410, 429, 500, 503};

  private static boolean isRetriable(int code) {
    return switch (code) {
      case 0, 401, 408, 409, 410, 429 -> true;
      default -> code >= 500;
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyWayEndsWithTheNodeDeleted(boolean replicas) {
    LeavingStage stage = LeavingStage.CORDON;
    boolean deleted = false;
    boolean drained = false;
    while (stage != LeavingStage.GONE) {
      deleted |= stage == LeavingStage.DELETE_NODE;
      drained |= stage == LeavingStage.DRAIN;
      stage = stage.next(replicas);
    }

    assertThat(deleted).isTrue();
    assertThat(drained).as("only for replicas").isEqualTo(replicas);
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalIsSkippedUnlessTheNodeIsNotDeletedForIt(LeavingStage stage) {
    for (int code : CODES) {
      boolean unreachable = code == 0 || code == 408 || code == 429 || code >= 500;
      boolean again = unreachable || (stage == LeavingStage.DELETE_NODE && isRetriable(code));
      assertThat(stage.afterFailure(code, isRetriable(code)))
          .as("%s after %d", stage, code)
          .isEqualTo(again ? Optional.empty() : Optional.of(stage.next(false)));
    }
  }

  @Test
  void aNodeIsNotDrainedIfItsReplicasMayNotBeRead() {
    assertThat(LeavingStage.FIND_REPLICAS.afterFailure(403, false))
        .contains(LeavingStage.DELETE_NODE);
  }
}

package dev.drydock.slurm.drainer.decide;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus.DrainedPod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A DrainRequest.
 *
 * @param annotatedDrainer the drainer that its annotation names; may be empty
 * @param deleted whether it only exists because of finalizers
 * @param claimed whether it has this drainer's finalizer
 * @param moved whether it names another node than the one that was annotated for it
 * @param answer what was answered to it so far
 * @param pods what was recorded about pods so far
 */
public record SlinkyRequest(
    DrainRequestSpec spec,
    String annotatedDrainer,
    boolean deleted,
    boolean claimed,
    boolean moved,
    Optional<Answer> answer,
    List<DrainedPod> pods) {
  private static final Set<String> SERVED =
      Set.of(DrainRequest.SLINKY_DRAINER, DrainRequest.CUSTOM_DRAINER);

  public SlinkyRequest {
    pods = List.copyOf(pods);
  }

  /**
   * The condition that its client waits for.
   *
   * @param reason one of {@link DrainAnswer.Reason}, or of whoever else wrote it
   * @param since when it got its present status
   */
  public record Answer(boolean complete, String reason, Instant since) {
    boolean says(DrainAnswer.Reason wanted) {
      return reason.equals(wanted.name());
    }
  }

  /** Whether it names this drainer, whichever there is, or nobody. */
  public boolean isServed() {
    String inSpec = spec.drainer() == null ? "" : spec.drainer();
    return Stream.of(inSpec, annotatedDrainer)
        .filter(name -> !name.isEmpty())
        .allMatch(SERVED::contains);
  }

  /** Whether it still wants its node to be drained. */
  public boolean isActive() {
    return isServed() && !deleted && !moved && answer.filter(Answer::complete).isEmpty();
  }

  boolean says(DrainAnswer.Reason reason) {
    return answer.filter(given -> given.says(reason)).isPresent();
  }

  /** When its drain began: with the first answer, which says that it is not complete. */
  Optional<Instant> begun() {
    return answer.filter(given -> !given.complete()).map(Answer::since);
  }
}

package dev.drydock.health.customdrain.decide;

import dev.drydock.contracts.GoDuration;
import dev.drydock.health.customdrain.decide.DrainResource.Progress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides what comes next for a drain that is left to another controller. */
public final class CustomDrainDecider {
  private CustomDrainDecider() {}

  /**
   * The next step.
   *
   * @param present all resources that are about the node
   */
  public static CustomDrainStep decide(
      CustomDrainTask task, List<DrainResource> present, CustomDrainRules rules, Instant now) {
    Optional<DrainResource> own =
        present.stream().filter(resource -> resource.isOf(task)).findFirst();
    if (own.isPresent()) {
      return own(own.get(), rules, now);
    }
    List<DrainResource> others =
        present.stream().filter(resource -> resource.counts(task)).toList();
    Optional<DrainResource> running =
        others.stream().filter(each -> each.progress() == Progress.PENDING).findFirst();
    if (running.isPresent()) {
      return new CustomDrainStep.Wait(
          Instant.MAX, running.get().name() + " drains the node already", false);
    }
    return others.stream()
        .filter(each -> each.progress() == Progress.COMPLETE && each.covers(task))
        .findFirst()
        .<CustomDrainStep>map(
            done -> new CustomDrainStep.AlreadyDrained(done.name() + " has drained the node"))
        .orElseGet(CustomDrainStep.Create::new);
  }

  private static CustomDrainStep own(DrainResource own, CustomDrainRules rules, Instant now) {
    Instant end = own.created().plus(rules.timeout());
    String said = own.message().isEmpty() ? "" : ": " + own.message();
    return switch (own.progress()) {
      case COMPLETE -> new CustomDrainStep.Complete(own.name() + " has drained the node" + said);
      case FAILED -> new CustomDrainStep.Fail(own.name() + " has failed" + said, false);
      case PENDING -> {
        if (now.isBefore(end)) {
          String what = own.deleting() ? " is being deleted" : " is not complete";
          yield new CustomDrainStep.Wait(end, own.name() + what + said, own.misnamed());
        }
        String late =
            "%s is not complete after %s%s"
                .formatted(own.name(), GoDuration.words(rules.timeout()), said);
        yield rules.proceeds()
            ? new CustomDrainStep.Complete(late + "; the configuration says to proceed")
            : new CustomDrainStep.Fail(late, true);
      }
    };
  }
}

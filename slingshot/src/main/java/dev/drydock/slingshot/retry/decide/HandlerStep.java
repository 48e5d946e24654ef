package dev.drydock.slingshot.retry.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.slingshot.retry.decide.HandlerView.Child;
import java.time.Duration;
import java.util.Optional;

/** What is done about the retry handler of a NIC. */
public sealed interface HandlerStep {
  /** How long a process may take to restore the NIC's timeouts. */
  Duration STOP = Duration.ofSeconds(10);

  /** How often is looked for what nobody tells of. */
  Duration LOOK = Duration.ofSeconds(10);

  /** Why, for programs and for people. */
  record Standing(HandlerReason reason, String message) {}

  /** Start it. */
  record Start() implements HandlerStep {}

  /** Ask it to end. */
  record Stop(Standing why) implements HandlerStep {}

  /** It did not end in time. */
  record Kill(Standing why) implements HandlerStep {}

  /** No handler may start any more; the reason is for people. */
  record Quarantine(String reason) implements HandlerStep {}

  /** All is as it should be, or nothing can be done; look again after this time. */
  record Rest(Standing standing, Duration most) implements HandlerStep {}

  /** The NIC is gone, and its handler, too. */
  record Forget() implements HandlerStep {}

  static HandlerStep of(
      HandlerView view, HandlerHistory history, CrashAction policy, Duration now) {
    return switch (view.child()) {
      case Child.Alive _ ->
          obstacle(view)
              .<HandlerStep>map(Stop::new)
              .orElseGet(
                  () ->
                      view.present()
                          ? new Rest(new Standing(HandlerReason.Running, ""), LOOK)
                          : new Stop(new Standing(HandlerReason.Stopping, "the device is gone")));
      case Child.Asked asked -> asked(view, asked, now);
      case Child.None _ -> view.present() ? withoutChild(view, history, policy, now) : new Forget();
    };
  }

  private static HandlerStep asked(HandlerView view, Child.Asked asked, Duration now) {
    Standing why =
        obstacle(view)
            .orElse(new Standing(HandlerReason.Stopping, "it restores the device's timeouts"));
    Duration left = asked.since().plus(STOP).minus(now);
    return left.isPositive() ? new Rest(why, left) : new Kill(why);
  }

  /** What no handler of ours may run beside. */
  private static Optional<Standing> obstacle(HandlerView view) {
    if (view.update().isPresent()) {
      return Optional.of(
          new Standing(
              HandlerReason.DriverUpdate, "the driver is being replaced: " + view.update().get()));
    }
    if (view.quarantine().isPresent()) {
      return Optional.of(new Standing(HandlerReason.Quarantined, view.quarantine().get()));
    }
    return view.elsewhere().map(who -> new Standing(HandlerReason.RunningElsewhere, who));
  }

  private static HandlerStep withoutChild(
      HandlerView view, HandlerHistory history, CrashAction policy, Duration now) {
    if (history.crashed() && policy == CrashAction.quarantine && view.quarantine().isEmpty()) {
      return new Quarantine(history.last());
    }
    Optional<Standing> obstacle = obstacle(view);
    if (obstacle.isPresent()) {
      return new Rest(obstacle.get(), LOOK);
    }
    if (!view.deviceFile()) {
      return new Rest(
          new Standing(HandlerReason.DeviceFileMissing, "its device file is missing"), LOOK);
    }
    if (!view.program()) {
      return new Rest(
          new Standing(
              HandlerReason.RetryHandlerBinaryMissing,
              "there is no cxi_rh: install it, or name it with --cxi-rh-path"),
          HandlerHistory.LONGEST_DELAY);
    }
    return history
        .left(now)
        .<HandlerStep>map(left -> new Rest(new Standing(history.reason(), history.last()), left))
        .orElseGet(Start::new);
  }
}

package dev.drydock.lifecycle.driver;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainTask;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.HoldLoss;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.lifecycle.decide.DriverDrain;
import dev.drydock.lifecycle.decide.SlaPolicy;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** The driver's node: its hold there, and how it is drained. */
final class DriverNode {
  private final DrainDriver.Settings settings;
  private final DrainEngine engine;
  private final Clock clock;

  DriverNode(DrainDriver.Settings settings, DrainEngine engine, Clock clock) {
    this.settings = settings;
    this.engine = engine;
    this.clock = clock;
  }

  Holds holds() {
    return engine.holds().read(settings.node());
  }

  /** The driver's own hold, if it has one. */
  Optional<Hold> own() {
    return Optional.ofNullable(holds().byHolder().get(settings.holder()));
  }

  /**
   * The hold that the driver placed before a restart. One that a person made void by uncordoning
   * the node is dropped.
   *
   * @param behalf whose hold is as good as the driver's own
   */
  DriverDrain.HoldFound found(Optional<String> behalf) {
    Holds holds = holds();
    if (holds.unschedulable() && behalf.filter(holds::heldBy).isPresent()) {
      return new DriverDrain.HoldFound(Optional.empty());
    }
    if (HoldLoss.of(holds, settings.holder(), false) instanceof HoldLoss.CalledOff loss) {
      var _ = engine.holds().observe(settings.node());
      return new DriverDrain.HoldFound(Optional.of(loss.message()));
    }
    return new DriverDrain.HoldFound(Optional.empty());
  }

  void hold(String reason) {
    var _ = engine.holds().place(settings.node(), own(reason));
  }

  private Hold own(String reason) {
    return Hold.of(settings.holder(), reason, clock.instant());
  }

  void release() {
    var _ = engine.holds().release(settings.node(), settings.holder());
  }

  /** Also a cordon from outside goes, but not the holds of others. */
  Holds uncordon() {
    return engine.holds().releaseWithCordon(settings.node(), settings.holder());
  }

  /** Pods that have to go, by a list made now. */
  List<String> left() {
    return engine.left(settings.node(), policy().build());
  }

  /**
   * @param afterSla whether the SLA of the event has expired, but the drain continues
   */
  DrainTask task(String reason, boolean afterSla) {
    boolean deletes = afterSla && settings.atSla() == SlaPolicy.DELETE;
    DrainPolicy policy = policy().deleteInsteadOfEvict(deletes).build();
    return DrainTask.of(settings.node(), settings.holder(), reason, policy).patiently();
  }

  /** Drains all pods, as the original driver does, because it cannot ask about doubtful ones. */
  private DrainPolicy.Builder policy() {
    return DrainPolicy.everything().gracePeriodSeconds(settings.gracePeriodSeconds());
  }
}

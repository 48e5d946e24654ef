package dev.drydock.app.example;

import dev.drydock.drain.LeaderEngine;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import java.time.Instant;

/**
 * Holds the nodes of Inspections, but takes no node out of service while the andon cord is pulled.
 * Holds of Inspections that are gone end by themselves.
 */
final class InspectionController implements AutoCloseable {
  private final Kube kube;
  private final DrainEngine engine;
  private final String reason;
  private final ControlLoop loop;
  private final Watch<InspectionObject> inspections;

  InspectionController(Kube kube, LeaderEngine leader, String reason) {
    this.kube = kube;
    this.engine = leader.engine();
    this.reason = reason;
    loop = kube.loop("inspections", this::step);
    leader.onCord(loop::wake);
    inspections =
        kube.watches()
            .of(
                Watch.Kind.of(InspectionFeature.INSPECTIONS.all(), InspectionObject::read),
                Watch.Listener.waking(loop::wake));
  }

  void start() {
    inspections.start();
  }

  private Instant step() {
    if (engine.stopped().isPresent()) {
      return Instant.MAX; // the release of the cord wakes this loop
    }
    NodeHolds holds = engine.holds();
    for (InspectionObject each : inspections.state().items()) {
      String holder = InspectionFeature.OWNER.holder(each.namespace(), each.name());
      if (!holds.read(each.node()).heldBy(holder)) {
        Hold hold = Hold.of(holder, reason, kube.clock().instant());
        holds.place(each.node(), hold.ownedBy(each.uid()));
      }
    }
    return Instant.MAX; // a change that the watch sees wakes this loop
  }

  @Override
  public void close() {
    inspections.close();
    loop.close();
  }
}

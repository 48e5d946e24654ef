package dev.drydock.app.example;

import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import java.time.Instant;

/** Holds the nodes of Inspections. Holds of Inspections that are gone end by themselves. */
final class InspectionController implements AutoCloseable {
  private final Kube kube;
  private final NodeHolds holds;
  private final String reason;
  private final ControlLoop loop;
  private final Watch<InspectionObject> inspections;

  InspectionController(Kube kube, NodeHolds holds, String reason) {
    this.kube = kube;
    this.holds = holds;
    this.reason = reason;
    loop = kube.loop("inspections", this::step);
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
    for (InspectionObject each : inspections.state().items()) {
      String holder = InspectionFeature.OWNER.holder(each.namespace(), each.name());
      if (!holds.read(each.node()).heldBy(holder)) {
        holds.place(each.node(), Hold.of(holder, reason, kube.clock().instant()));
      }
    }
    return Instant.MAX; // a wake-up of the watch brings more
  }

  @Override
  public void close() {
    inspections.close();
    loop.close();
  }
}

package dev.drydock.drain.request;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.decide.DrainRequestFacts;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import dev.drydock.serve.feature.HoldOwner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves DrainRequests with the engine: one watch of them all, and a loop for each, by UID. What it
 * knows it reads from the requests and from the holds on nodes, so a process that takes over goes
 * on where the last one stopped. Run one instance per cluster.
 */
public final class DrainRequestController {
  /** Requests hold their nodes. */
  public static final HoldOwner HOLD_OWNER =
      new HoldOwner(DrainRequestFacts.HOLDER_PREFIX, DrainRequestObject.RESOURCE, "nodeName");

  private static final Logger LOG = LoggerFactory.getLogger(DrainRequestController.class);

  private final Watch<DrainRequestObject> requests;
  private final ControlLoops<String> loops;

  private DrainRequestController(DrainEngine engine, ServedRequests serves) {
    Kube kube = engine.kube();
    requests =
        kube.watches()
            .of(
                Watch.Kind.of(DrainRequestObject.RESOURCE.all(), DrainRequestObject::read)
                    .groupedBy(DrainRequestObject::uid)
                    .reportingUnreadable(DrainRequestObject.RESOURCE),
                Watch.Listener.keyed(DrainRequestObject::uid, this::wake, this::wakeAll));
    loops =
        kube.loops(
            "drainrequest",
            uid ->
                new DrainRequestReconciler(
                    new DrainRequestReconciler.Context(engine, serves),
                    () -> requests.state(uid),
                    () -> wake(uid)));
  }

  /** Starts to serve requests, until the engine is closed. */
  public static void start(DrainEngine engine, ServedRequests serves) {
    DrainRequestController controller = new DrainRequestController(engine, serves);
    engine.onClose(controller::close);
    controller.requests.start();
  }

  private void wake(String uid) {
    loops.wake(uid);
  }

  private void wakeAll() {
    Watch.State<DrainRequestObject> state = requests.state();
    if (state.unsynced().isPresent()) {
      LOG.warn("cannot watch DrainRequests: {}", state.unsynced().get());
      return;
    }
    state.items().forEach(request -> wake(request.uid()));
    loops.wakeAll();
  }

  /** Stops without a further write; the next process continues. */
  private void close() {
    requests.close();
    loops.close();
  }
}

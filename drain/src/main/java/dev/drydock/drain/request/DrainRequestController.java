package dev.drydock.drain.request;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.EngineContext;
import dev.drydock.drain.hold.DrainApiPaths;
import dev.drydock.drain.request.decide.DrainRequestFacts;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Watch;
import dev.drydock.serve.feature.HoldOwner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves DrainRequests with the engine: one watch of them all, and a loop for each, by UID. What it
 * knows it reads from the requests and from the holds on nodes, so a process that takes over goes
 * on where the last one stopped.
 */
public final class DrainRequestController implements AutoCloseable {
  /** Requests hold their nodes. */
  public static final HoldOwner HOLD_OWNER =
      new HoldOwner(DrainRequestFacts.HOLDER_PREFIX, DrainApiPaths.REQUESTS, "nodeName");

  private static final Logger LOG = LoggerFactory.getLogger(DrainRequestController.class);

  private final Watch<DrainRequestObject> requests;
  private final ControlLoops<String> loops;

  public DrainRequestController(DrainEngine engine, EngineContext context, ServedRequests serves) {
    requests =
        context
            .kube()
            .watches()
            .of(
                Watch.Kind.of(DrainApiPaths.DRAIN_REQUESTS, DrainRequestObject::read)
                    .groupedBy(DrainRequestObject::uid)
                    .reportingUnreadable(HOLD_OWNER.resource()),
                new Changes());
    loops =
        context
            .kube()
            .loops(
                "drainrequest",
                uid ->
                    new DrainRequestReconciler(
                        new DrainRequestReconciler.Setting(engine, context, serves),
                        () -> requests.state(uid),
                        () -> wake(uid)));
  }

  public void start() {
    requests.start();
  }

  private void wake(String uid) {
    loops.wake(uid);
  }

  /** Stops without a further write; the next process continues. */
  @Override
  public void close() {
    requests.close();
    loops.close();
  }

  private final class Changes implements Watch.Listener<DrainRequestObject> {
    @Override
    public void changed(@Nullable DrainRequestObject before, @Nullable DrainRequestObject after) {
      DrainRequestObject request = after == null ? before : after;
      if (request != null) {
        wake(request.uid());
      }
    }

    @Override
    public void refreshed() {
      Watch.State<DrainRequestObject> state = requests.state();
      if (state.unsynced().isPresent()) {
        LOG.warn("cannot watch DrainRequests: {}", state.unsynced().get());
        return;
      }
      state.items().forEach(request -> wake(request.uid()));
      loops.wakeAll();
    }
  }
}

package dev.drydock.drain.kube;

import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves DrainRequests with the engine: watches them all and gives each that concerns us a thread
 * that sees it through. What it knows it reads from the requests and from the holds on nodes, so a
 * process that takes over goes on where the last one stopped.
 */
final class DrainRequestController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DrainRequestController.class);

  private final DrainEngine engine;
  private final DrainEngine.EngineContext context;
  private final Watch<DrainRequestObject> requests;
  private final Map<String, DrainRequestReconciler> served = new ConcurrentHashMap<>();
  private volatile boolean closed;

  DrainRequestController(DrainEngine engine, DrainEngine.EngineContext context) {
    this.engine = engine;
    this.context = context;
    requests =
        new Kube(context.http(), TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(DrainApiPaths.DRAIN_REQUESTS, DrainRequestObject::read),
                new Changes(),
                context.backoff());
  }

  void start() {
    requests.start();
  }

  private void show(DrainRequestObject request) {
    if (closed) {
      return;
    }
    served
        .computeIfAbsent(
            request.uid(),
            uid -> {
              DrainRequestReconciler each =
                  new DrainRequestReconciler(request, engine, context, () -> served.remove(uid));
              each.start();
              return each;
            })
        .show(request);
  }

  private void showGone(String uid) {
    DrainRequestReconciler gone = served.get(uid);
    if (gone != null) {
      gone.showGone();
    }
  }

  /** Ends where it is, without a further write; whoever starts next goes on. */
  @Override
  public void close() {
    closed = true;
    requests.close();
    served.values().forEach(DrainRequestReconciler::close);
  }

  private final class Changes implements Watch.Listener<DrainRequestObject> {
    @Override
    public void changed(@Nullable DrainRequestObject before, @Nullable DrainRequestObject after) {
      if (after != null) {
        show(after);
      } else if (before != null) {
        showGone(before.uid());
      }
    }

    @Override
    public void refreshed() {
      Watch.State<DrainRequestObject> state = requests.state();
      if (closed) {
        return;
      }
      if (state.unsynced().isPresent()) {
        LOG.warn("DrainRequests are not seen at present: {}", state.unsynced().get());
        return;
      }
      Map<String, DrainRequestObject> now = new ConcurrentHashMap<>();
      state.items().forEach(request -> now.put(request.uid(), request));
      now.values().forEach(DrainRequestController.this::show);
      served.keySet().stream()
          .filter(uid -> !now.containsKey(uid))
          .forEach(DrainRequestController.this::showGone);
    }
  }
}

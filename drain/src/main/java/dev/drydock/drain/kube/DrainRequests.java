package dev.drydock.drain.kube;

import dev.drydock.kube.Reflector;
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
final class DrainRequests implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DrainRequests.class);

  private final Drains drains;
  private final Drains.Shared shared;
  private final Reflector<RequestSeen> requests;
  private final Map<String, ServedRequest> served = new ConcurrentHashMap<>();
  private volatile boolean closed;

  DrainRequests(Drains drains, Drains.Shared shared) {
    this.drains = drains;
    this.shared = shared;
    requests =
        new Reflector<>(
            shared.http(),
            Reflector.Kind.of(Paths.DRAIN_REQUESTS, RequestSeen::read),
            new Changes(),
            shared.backoff());
  }

  void start() {
    requests.start();
  }

  private void show(RequestSeen request) {
    if (closed) {
      return;
    }
    served
        .computeIfAbsent(
            request.uid(),
            uid -> {
              ServedRequest each =
                  new ServedRequest(request, drains, shared, () -> served.remove(uid));
              each.start();
              return each;
            })
        .show(request);
  }

  private void showGone(String uid) {
    ServedRequest gone = served.get(uid);
    if (gone != null) {
      gone.showGone();
    }
  }

  /** Ends where it is, without a further write; whoever starts next goes on. */
  @Override
  public void close() {
    closed = true;
    requests.close();
    served.values().forEach(ServedRequest::close);
  }

  private final class Changes implements Reflector.Listener<RequestSeen> {
    @Override
    public void changed(@Nullable RequestSeen before, @Nullable RequestSeen after) {
      if (after != null) {
        show(after);
      } else if (before != null) {
        showGone(before.uid());
      }
    }

    @Override
    public void refreshed() {
      Reflector.State<RequestSeen> state = requests.state();
      if (closed) {
        return;
      }
      if (state.unsynced().isPresent()) {
        LOG.warn("DrainRequests are not seen at present: {}", state.unsynced().get());
        return;
      }
      Map<String, RequestSeen> now = new ConcurrentHashMap<>();
      state.items().forEach(request -> now.put(request.uid(), request));
      now.values().forEach(DrainRequests.this::show);
      served.keySet().stream()
          .filter(uid -> !now.containsKey(uid))
          .forEach(DrainRequests.this::showGone);
    }
  }
}

package dev.drydock.serve.tls;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.WakeUp;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One object of a collection, kept up to date by a watch that rings a bell; a right to that object
 * is enough.
 */
final class WatchedObject<T> implements AutoCloseable {
  private final Watch<T> reflector;
  private volatile boolean answered;

  WatchedObject(
      KubeHttp http,
      String collection,
      String name,
      Function<JsonNode, @Nullable T> reader,
      WakeUp bell) {
    Source source =
        new Source(collection, "fieldSelector=" + ApiCall.encode("metadata.name=" + name));
    reflector =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(source, reader),
                new Watch.Listener<>() {
                  @Override
                  public void changed(@Nullable T before, @Nullable T after) {
                    bell.ring();
                  }

                  @Override
                  public void refreshed() {
                    answered = true;
                    bell.ring();
                  }
                },
                Backoff.USUAL);
  }

  void start() {
    reflector.start();
  }

  /** Whether there was any answer yet, good or bad. */
  boolean isAnswered() {
    return answered;
  }

  /** Why it is not known, if so. */
  Optional<String> unknown() {
    return reflector.state().unsynced();
  }

  /** Empty if it does not exist. */
  Optional<T> current() {
    return reflector.state().items().stream().findFirst();
  }

  @Override
  public void close() {
    reflector.close();
  }
}

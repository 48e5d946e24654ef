package dev.drydock.serve.tls;

import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One object, kept up to date by a watch; a right to that object is enough. */
final class WatchedObject implements AutoCloseable {
  private final Watch<ApiObject> watch;
  private volatile boolean answered;

  /**
   * @param namespace empty for kinds without
   * @param wake called when it may have changed
   */
  WatchedObject(Kube kube, Resource resource, String namespace, String name, Runnable wake) {
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(resource.named(namespace, name), ApiObject::of),
                new Watch.Listener<>() {
                  @Override
                  public void changed(@Nullable ApiObject before, @Nullable ApiObject after) {
                    wake.run();
                  }

                  @Override
                  public void refreshed() {
                    answered = true;
                    wake.run();
                  }
                });
  }

  void start() {
    watch.start();
  }

  /** Whether there was any answer yet, good or bad. */
  boolean isAnswered() {
    return answered;
  }

  /**
   * @throws ExpectedFailure if it cannot be read now, so that it is not mistaken for deleted
   */
  void requireKnown(String what) {
    Watch.State<ApiObject> state = watch.state();
    state
        .unsynced()
        .or(() -> state.unreadable().values().stream().findFirst())
        .ifPresent(
            why -> {
              throw new NotKnown("%s cannot be read: %s".formatted(what, why));
            });
  }

  private static final class NotKnown extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    NotKnown(String line) {
      super(line);
    }
  }

  /** Empty if it does not exist. */
  Optional<ApiObject> current() {
    return watch.state().items().stream().findFirst();
  }

  @Override
  public void close() {
    watch.close();
  }
}

package dev.drydock.serve.command;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.Bugs;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows named objects for a user until all have ended. An object's last state is kept after its
 * deletion.
 */
public final class ObjectFollower<T> implements AutoCloseable {
  /** Reports what happens; never called twice at once. */
  public interface Listener<T> {
    /**
     * Called after changes; the object may not be among the changed ones.
     *
     * @param last as last seen; null if it was never seen, or could not be read
     * @param exists whether it exists now
     * @return whether it has ended; then it is not followed further
     */
    boolean look(String name, @Nullable T last, boolean exists);

    /** Called once, if some have not ended within the patience. */
    void late(Set<String> pending);
  }

  private record Named<T>(String name, T object) {}

  private record Following<T>(Listener<T> listener, Instant patience, Instant deadline) {}

  private final Kube kube;
  private final Set<String> pending;
  private final ControlLoop loop;
  private final Watch<Named<T>> watch;
  private final Map<String, T> last = new ConcurrentHashMap<>();
  private final Set<String> existing = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Boolean> firstSync = new CompletableFuture<>();
  private final CompletableFuture<Set<String>> ended = new CompletableFuture<>();
  private volatile boolean inSync;
  private volatile @Nullable Following<T> following;
  private boolean late;

  /**
   * @param all the objects that the named ones are among
   */
  public ObjectFollower(Kube kube, Source all, Set<String> names, Function<JsonNode, T> reader) {
    this.kube = kube;
    pending = new LinkedHashSet<>(names);
    Set<String> wanted = Set.copyOf(names);
    loop = kube.loop("follower", this::step);
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(
                    names.size() == 1
                        ? all.fieldSelector("metadata.name=" + names.iterator().next())
                        : all,
                    object -> {
                      String name = text(object.path("metadata"), "name");
                      return wanted.contains(name) ? new Named<>(name, reader.apply(object)) : null;
                    }),
                new Changes());
  }

  /** Starts to watch, before or after the objects are created. */
  public ObjectFollower<T> start() {
    watch.start();
    return this;
  }

  /** Returns when later changes are certain to be seen. */
  public void awaitSync() throws InterruptedException {
    var _ = await(firstSync);
  }

  /** As {@link #begin}, and waits for the end. */
  public Set<String> follow(Listener<T> listener, Duration patience, Duration timeout)
      throws InterruptedException {
    return await(begin(listener, patience, timeout));
  }

  /**
   * Reports changes until all have ended or the timeout has passed.
   *
   * @param timeout zero for none
   * @return completed with those that have not ended; fails if they cannot be followed, or if the
   *     listener fails
   */
  CompletableFuture<Set<String>> begin(Listener<T> listener, Duration patience, Duration timeout) {
    Instant now = kube.clock().instant();
    following =
        new Following<>(
            listener, now.plus(patience), timeout.isZero() ? Instant.MAX : now.plus(timeout));
    loop.wake();
    return ended;
  }

  private static <R> R await(CompletableFuture<R> result) throws InterruptedException {
    try {
      return result.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(failed);
    }
  }

  private Instant step() {
    Following<T> now = following;
    return now == null || ended.isDone()
        ? Instant.MAX
        : Bugs.call(
            () -> look(now),
            failure -> {
              // for the command, which ends with it
              ended.completeExceptionally(failure);
              return Instant.MAX;
            });
  }

  private Instant look(Following<T> now) {
    if (inSync) {
      for (String name : List.copyOf(pending)) {
        boolean exists = existing.contains(name); // before its last state
        if (now.listener().look(name, last.get(name), exists)) {
          pending.remove(name);
        }
      }
    } else if (watch.state().forbidden()) {
      throw forbidden();
    }
    Instant time = kube.clock().instant();
    if (!pending.isEmpty() && !late && !time.isBefore(now.patience())) {
      late = true;
      now.listener().late(Collections.unmodifiableSet(pending));
    }
    if (pending.isEmpty() || !time.isBefore(now.deadline())) {
      ended.complete(Collections.unmodifiableSet(pending));
      return Instant.MAX;
    }
    return !late && now.patience().isBefore(now.deadline()) ? now.patience() : now.deadline();
  }

  private CommandFailure forbidden() {
    return new CommandFailure(
        "missing permission: cannot follow: %s; use --no-wait"
            .formatted(watch.state().unsynced().orElse("")));
  }

  @Override
  public void close() {
    watch.close();
    loop.close();
  }

  private final class Changes implements Watch.Listener<Named<T>> {
    @Override
    public void changed(@Nullable Named<T> before, @Nullable Named<T> after) {
      if (after != null) {
        last.put(after.name(), after.object());
        existing.add(after.name());
      } else if (before != null) {
        existing.remove(before.name());
      }
      loop.wake();
    }

    @Override
    public void refreshed() {
      Watch.State<Named<T>> state = watch.state();
      if (state.unsynced().isEmpty()) {
        Set<String> names = new HashSet<>();
        for (Named<T> seen : state.items()) {
          last.put(seen.name(), seen.object());
          names.add(seen.name());
        }
        // they exist, although nothing is known of them
        state.unreadable().keySet().forEach(key -> names.add(key.substring(key.indexOf('/') + 1)));
        existing.addAll(names);
        existing.retainAll(names);
        inSync = true;
        firstSync.complete(true);
      } else {
        inSync = false;
        if (state.forbidden()) {
          firstSync.completeExceptionally(forbidden());
        }
      }
      loop.wake();
    }
  }
}

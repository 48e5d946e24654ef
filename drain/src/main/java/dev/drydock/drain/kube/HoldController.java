package dev.drydock.drain.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.decide.Hold;
import dev.drydock.drain.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.WakeUp;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.HoldOwner;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after holds that nobody else ends: those whose time is over, those on a node that a person
 * has uncordoned, and those whose owner no longer exists or is for another node.
 */
final class HoldController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HoldController.class);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final DrainEngine.EngineContext context;
  private final List<HoldOwner> owners;
  private final WakeUp bell = new WakeUp();
  private final Watch<Held> nodes;
  private final Map<String, String> ownersFound = new HashMap<>();
  private volatile boolean closed;
  private int failures;

  /** A node's name and annotation; nodes without holds are remembered without text. */
  private record Held(String node, Optional<String> text, boolean unschedulable) {
    Holds holds() {
      return HoldsAnnotation.read(node, text, unschedulable);
    }
  }

  HoldController(DrainEngine.EngineContext context, List<HoldOwner> owners) {
    this.context = context;
    this.owners = owners;
    nodes =
        new Kube(context.http(), TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(DrainApiPaths.ALL_NODES, HoldController::read),
                new Waker(),
                context.backoff());
  }

  private static Held read(JsonNode object) {
    DrainNodeObject node = DrainNodeObject.read(object);
    return new Held(node.name(), node.holdsText(), node.facts().unschedulable());
  }

  void start() {
    nodes.start();
    Thread.ofVirtual().name("holds").start(this::run);
  }

  private void run() {
    try {
      while (!closed) {
        bell.await(step());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** How long to wait if nothing happens. */
  private Duration step() {
    Instant now = context.clock().instant();
    Instant next = now.plus(LONGEST_WAIT);
    boolean failed = false;
    for (Held held : nodes.state().items()) {
      if (held.text().isEmpty()) {
        continue;
      }
      try {
        Optional<Instant> expiry = keep(held, now);
        next = expiry.filter(next::isAfter).orElse(next);
      } catch (ApiFailure later) {
        failed |= later.code() != HttpURLConnection.HTTP_NOT_FOUND;
        LOG.warn("holds of node {}: {}; tried again", held.node(), later.getMessage());
      } catch (HoldsUnreadable broken) {
        // Tried again when somebody mends it, which the watch shows.
        LOG.warn("{}", broken.getMessage());
      }
    }
    failures = failed ? failures + 1 : 0;
    return failed ? context.backoff().after(failures) : Duration.between(now, next);
  }

  /** When to look again, if time alone brings something. */
  private Optional<Instant> keep(Held held, Instant now) {
    Holds holds = held.holds();
    if (!holds.unschedulable()) {
      var _ = context.holds().observe(held.node());
      return Optional.empty();
    }
    releaseOrphans(held, holds);
    Optional<Instant> expiry = holds.nextExpiry();
    if (expiry.filter(end -> !now.isBefore(end)).isPresent()) {
      return context.holds().expire(held.node()).nextExpiry();
    }
    return expiry;
  }

  /** Each state of a node is looked at once; who loses a request later sees to its hold himself. */
  private void releaseOrphans(Held held, Holds holds) {
    String text = held.text().orElse("");
    if (text.equals(ownersFound.get(held.node()))) {
      return;
    }
    for (Hold hold : List.copyOf(holds.byHolder().values())) {
      if (isOrphan(held.node(), hold.holder())) {
        LOG.info("hold {} on node {} has lost its owner", hold.holder(), held.node());
        var _ = context.holds().release(held.node(), hold.holder());
      }
    }
    ownersFound.put(held.node(), text);
  }

  private boolean isOrphan(String node, String holder) {
    for (HoldOwner owner : owners) {
      Optional<String> path = owner.path(holder);
      if (path.isPresent()) {
        return isOrphan(node, holder, owner, path.get());
      }
    }
    return false;
  }

  private boolean isOrphan(String node, String holder, HoldOwner owner, String path) {
    KubeAnswer answer = context.http().send(ApiCall.get(path));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      // Where the kind itself is unknown, nobody can say whether the owner is gone.
      return !text(answer.body().path("details"), "name").isEmpty();
    }
    JsonNode spec = answer.orThrow("owner of hold " + holder).path("spec");
    return !text(spec, owner.nodeField()).equals(node);
  }

  @Override
  public void close() {
    closed = true;
    nodes.close();
    bell.ring();
  }

  private final class Waker implements Watch.Listener<Held> {
    @Override
    public void changed(@Nullable Held before, @Nullable Held after) {
      if (!Objects.equals(before, after)) {
        bell.ring();
      }
    }

    @Override
    public void refreshed() {
      bell.ring();
    }
  }
}

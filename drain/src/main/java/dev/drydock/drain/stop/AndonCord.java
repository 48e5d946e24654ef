package dev.drydock.drain.stop;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.stop.decide.CordState;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The andon cord: a ConfigMap that every process watches. While it exists, nothing new starts;
 * releasing nodes always works.
 */
public final class AndonCord {
  private static final Logger LOG = LoggerFactory.getLogger(AndonCord.class);

  /** While its namespace is being deleted. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  /** The ConfigMap's name. */
  public static final String NAME = "drydock-andon";

  private final Kube kube;
  private final KubeHttp http;
  private final String namespace;

  /** Who pulled it, and why. */
  public record Pull(String by, String reason, String since) {
    @Override
    public String toString() {
      return "stopped by %s since %s%s; run 'drydock resume' to continue"
          .formatted(by, since, reason.isEmpty() ? "" : ": " + reason);
    }
  }

  public AndonCord(Kube kube, String namespace) {
    this.kube = kube;
    this.http = kube.http();
    this.namespace = namespace;
  }

  /**
   * Stops everything.
   *
   * @param reason replaces that of an earlier pull; empty to keep that
   */
  public Pull pull(String by, String reason) {
    String why = reason.isEmpty() ? earlierReason() : reason;
    Pull pull =
        new Pull(by, why, kube.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString());
    ObjectNode map = Resource.CONFIG_MAPS.manifest(namespace, NAME);
    map.putObject("data")
        .put("by", pull.by())
        .put("reason", pull.reason())
        .put("since", pull.since());
    var _ = http.apply(Resource.CONFIG_MAPS, map);
    return pull;
  }

  private String earlierReason() {
    try {
      return read().map(Pull::reason).orElse("");
    } catch (ApiFailure unknown) {
      return ""; // to stop matters more
    }
  }

  /** Whether it was pulled. */
  public boolean release() {
    KubeAnswer answer = http.send(ApiCall.delete(Resource.CONFIG_MAPS.path(namespace, NAME), "{}"));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return false;
    }
    var _ = answer.orThrow("ConfigMap " + namespace + "/" + NAME);
    return true;
  }

  /**
   * As it is now; empty if it is not pulled.
   *
   * @throws ApiFailure if it cannot be read
   */
  public Optional<Pull> read() {
    return find().map(AndonCord::pull);
  }

  /** The version of the ConfigMap, by which processes say that they have seen it. */
  public Optional<String> version() {
    return find().map(map -> ApiObject.of(map).version());
  }

  private Optional<JsonNode> find() {
    return http.find(Resource.CONFIG_MAPS, namespace, NAME);
  }

  /** The versions of the cord, to be watched. */
  Watch.Kind<String> versions() {
    return Watch.Kind.of(source(), map -> ApiObject.of(map).version());
  }

  private Source source() {
    return Resource.CONFIG_MAPS.named(namespace, NAME);
  }

  /** The watched objects: one while the cord is pulled, otherwise none. */
  public Watch.Kind<Pull> kind() {
    return Watch.Kind.of(source(), AndonCord::pull);
  }

  private static Pull pull(JsonNode map) {
    JsonNode data = map.path("data");
    return new Pull(text(data, "by"), text(data, "reason"), text(data, "since"));
  }

  /**
   * Watches it, until what is returned is run.
   *
   * @param changed gets the reason when the cord is pulled, empty when it is released; until the
   *     first list, and after some minutes out of sync, why it is not known
   */
  public Runnable watch(Consumer<Optional<String>> changed) {
    CordWatch watch = new CordWatch(changed);
    watch.cord.start();
    return watch::close;
  }

  /**
   * Stops and resumes the engine as the cord says, until the engine is closed.
   *
   * @param changed runs after that
   */
  public void govern(DrainEngine engine, Runnable changed) {
    engine.stop("the andon cord has not been read yet");
    engine.onClose(
        watch(
            pulled -> {
              pulled.ifPresentOrElse(engine::stop, engine::resume);
              changed.run();
            }));
  }

  private final class CordWatch {
    private final Consumer<Optional<String>> changed;
    private final Watch<Pull> cord;
    private final ControlLoop releases;
    private CordState known = CordState.UNSEEN;
    private TimeSource.Timer again = TimeSource.Timer.NONE;

    CordWatch(Consumer<Optional<String>> changed) {
      this.changed = changed;
      releases = kube.loop("andon-releases", namespace, this::confirmRelease);
      cord = kube.watches().of(kind(), Watch.Listener.waking(this::look));
    }

    /** Only a namespace that is still there shows that somebody released the cord. */
    private Instant confirmRelease() {
      if (!awaitsConfirmation()) {
        return Instant.MAX;
      }
      boolean released =
          http.find(Resource.NAMESPACES, "", namespace)
              .filter(there -> !ApiObject.of(there).deleted())
              .isPresent();
      if (!released) {
        return kube.clock().instant().plus(LOOK_AGAIN);
      }
      synchronized (this) {
        known = known.released(sight());
      }
      look();
      return Instant.MAX;
    }

    private synchronized boolean awaitsConfirmation() {
      return known.awaitsConfirmation(sight());
    }

    private CordState.Sight sight() {
      Watch.State<Pull> state = cord.state();
      return new CordState.Sight(
          state.items().stream().findFirst().map(Pull::toString), state.unsynced());
    }

    private synchronized void look() {
      CordState.Sight sight = sight();
      Duration now = kube.time().elapsed();
      boolean wasBlind = known.blindSince().isPresent();
      known = known.next(sight, now);
      if (known.blindSince().isEmpty()) {
        again.cancel();
      } else if (!wasBlind) {
        LOG.warn("cannot watch the andon cord: {}", sight.unsynced().orElse(""));
        again = kube.time().schedule(CordState.LONGEST_BLIND, this::look);
      }
      if (known.awaitsConfirmation(sight)) {
        releases.wake();
      }
      changed.accept(known.stopped(sight, now));
    }

    synchronized void close() {
      again.cancel();
      releases.close();
      cord.close();
    }
  }
}

package dev.drydock.edge.control;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.edge.decide.ApiAction;
import dev.drydock.edge.decide.ApiResult;
import dev.drydock.edge.decide.ClusterNodes;
import dev.drydock.edge.decide.CordonDecision;
import dev.drydock.edge.decide.OperationInput.LastCheck;
import dev.drydock.edge.decide.StorageView;
import dev.drydock.edge.longhorn.LonghornReader;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Kube;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server for the drain, one question at a time in a loop of its own: the loop that
 * looks at files must not wait for a server that hangs.
 */
final class EdgeApi implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeApi.class);

  private final EdgeAgentSettings settings;
  private final Kube kube;
  private final DrainEngine engine;
  private final PublishedFiles files;
  private final ClusterReader cluster;
  private final LonghornReader longhorn;
  private final EdgeDrainTurn turn;
  private final ControlLoop loop;
  private final Queue<Runnable> questions = new ArrayDeque<>();

  /** In time that has passed: the clock may be set. */
  private Optional<Duration> unreachableSince = Optional.empty();

  EdgeApi(EdgeContext context, EdgeDrainTurn turn) {
    settings = context.settings();
    files = context.published();
    kube = context.kube();
    engine = context.engine();
    this.turn = turn;
    cluster = new ClusterReader(kube.http(), settings);
    longhorn = new LonghornReader(kube.http());
    loop = kube.loop("edge-api", settings.node(), this::answer);
  }

  /** The answer comes on another thread. */
  void ask(ApiAction action, String reason, Consumer<ApiResult> answered) {
    put(() -> answered.accept(perform(action, reason)));
  }

  /** Whether the machine may go, by what the cluster says now. */
  void check(Consumer<LastCheck> answered) {
    put(() -> answered.accept(lastCheck()));
  }

  /** Says on the Node that a force file was ignored; best effort. */
  void tellOfIgnoredForce(String line) {
    put(
        () -> {
          try {
            DrainNodeObject node = engine.holds().get(cluster.ownName());
            kube.events()
                .record(
                    new EventRecorder.Regarding("v1", "Node", "", node.name(), node.uid()),
                    new EventRecorder.Occurrence(true, "ForceFileIgnored", "Drain"),
                    line);
          } catch (ApiFailure unreachable) {
            LOG.info("no Event about the force file: {}", unreachable.getMessage());
          }
        });
  }

  private void put(Runnable next) {
    synchronized (questions) {
      questions.add(next);
    }
    loop.wake();
  }

  /** A question whose answer is a bug is asked again. */
  private Instant answer() {
    for (Runnable next = head(); next != null; next = head()) {
      next.run();
      synchronized (questions) {
        questions.remove(next);
      }
    }
    return Instant.MAX;
  }

  private @Nullable Runnable head() {
    synchronized (questions) {
      return questions.peek();
    }
  }

  private ApiResult perform(ApiAction action, String reason) {
    try {
      return switch (action) {
        case PROBE -> {
          var _ = cluster.read();
          yield new ApiResult.Answered();
        }
        case CORDON -> cordon(reason);
        case CHECK_PEERS -> peers();
        case RELEASE -> {
          var _ = engine.holds().release(cluster.ownName(), settings.holder());
          yield new ApiResult.Released();
        }
      };
    } catch (ApiFailure failure) {
      return new ApiResult.Failed(action, failure.code(), failure.getMessage());
    } catch (HoldsUnreadable unreadable) {
      return new ApiResult.Failed(action, HttpURLConnection.HTTP_CONFLICT, unreadable.getMessage());
    }
  }

  private ApiResult cordon(String reason) {
    Optional<String> stopped = engine.stopped();
    Optional<String> before = turn.waitsFor();
    ClusterNodes nodes;
    try {
      nodes = cluster.read();
    } catch (ApiFailure failure) {
      return new ApiResult.NotOurTurn(
          CordonDecision.waitsFor(stopped, failure.code()).orElseThrow(() -> failure));
    }
    Optional<String> waits =
        CordonDecision.waitsFor(stopped, settings.turns(), before.or(turn::waitsFor), nodes);
    if (waits.isPresent()) {
      return new ApiResult.NotOurTurn(waits.get());
    }
    Hold hold = Hold.of(settings.holder(), reason, kube.clock().instant());
    Holds holds = engine.holds().place(nodes.own(), hold);
    files.publish(settings.paths().nodeName(), nodes.own());
    return new ApiResult.Cordoned(
        Optional.ofNullable(holds.byHolder().get(settings.holder())).orElse(hold).since());
  }

  private ApiResult peers() {
    ClusterNodes nodes = cluster.read();
    return new ApiResult.Peers(nodes, longhorn.read(nodes.own()).on(nodes));
  }

  private LastCheck lastCheck() {
    Instant now = kube.clock().instant();
    LastCheck check;
    try {
      ClusterNodes nodes = cluster.read();
      check = LastCheck.of(now, nodes, longhorn.read(nodes.own()).on(nodes));
    } catch (ApiFailure failure) {
      Duration elapsed = kube.time().elapsed();
      check =
          LastCheck.ofFailure(
              now,
              failure.code(),
              failure.getMessage(),
              unreachableSince.map(since -> now.minus(elapsed.minus(since))));
    }
    unreachableSince =
        check
            .unreachableSince()
            .map(since -> kube.time().elapsed().minus(Duration.between(since, now)));
    return check;
  }

  /** The name of the node that was cordoned, without asking. */
  String cordonedName() {
    return files.read(settings.paths().nodeName()).orElse(settings.node());
  }

  /** This node's name; by its UUID if that is how it is known. */
  String ownName() {
    return cluster.ownName();
  }

  StorageView storage(String node) {
    return longhorn.read(node);
  }

  ClusterNodes nodes() {
    return cluster.read();
  }

  @Override
  public void close() {
    loop.close();
  }
}

package dev.drydock.edge.control;

import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.edge.decide.EdgeInput.AttemptView;
import dev.drydock.edge.decide.LeavingStage;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Delete;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Takes a node that has left its cluster out of it. A restarted agent begins again. */
final class LeavingController implements AutoCloseable {
  private static final String APPLICATIONS = "eve-kube-app";

  private final EdgeContext context;
  private final EdgeApi api;
  private final Runnable gone;
  private final ControlLoop loop;
  private final AtomicBoolean leaving = new AtomicBoolean();
  private LeavingStage stage = LeavingStage.CORDON;
  private @Nullable EdgeDrainAttempt attempt;

  LeavingController(EdgeContext context, EdgeApi api, Runnable gone) {
    this.context = context;
    this.api = api;
    this.gone = gone;
    loop = context.kube().loop("edge-leaving", context.settings().node(), this::step);
  }

  /** Does not wait for a step, which may wait for an API server that hangs. */
  void leave() {
    if (leaving.compareAndSet(false, true)) {
      loop.wake();
    }
  }

  private Instant step() {
    while (leaving.get()) {
      LeavingStage next;
      try {
        String node = api.ownName();
        if (stage == LeavingStage.DRAIN && isDraining(node)) {
          return Instant.MAX;
        }
        next = stage.next(perform(node));
      } catch (ApiFailure failure) {
        next = stage.afterFailure(failure.code(), failure.isRetriable()).orElseThrow(() -> failure);
        report(failure);
      } catch (HoldsUnreadable unreadable) {
        next = stage.next(false);
        report(unreadable);
      }
      stage = next;
      if (stage == LeavingStage.GONE) {
        stage = LeavingStage.CORDON;
        gone.run();
        leaving.set(false);
      }
    }
    return Instant.MAX;
  }

  private void report(ExpectedFailure failure) {
    context.journal().warn("leaving the cluster: %s: %s".formatted(stage, failure.getMessage()));
  }

  /** Returns whether the node has replicas, where that is looked for. */
  private boolean perform(String node) {
    switch (stage) {
      case CORDON -> {
        var _ =
            context
                .engine()
                .holds()
                .place(
                    node,
                    Hold.of(
                        context.settings().holder(),
                        "leaves the cluster",
                        context.kube().clock().instant()));
      }
      case DELETE_APPLICATIONS -> deleteApplications(node);
      case FIND_REPLICAS -> {
        return api.storage(node).hasReplicasOn(node);
      }
      case DRAIN, GONE -> {}
      case DELETE_NODE -> {
        context
            .kube()
            .http()
            .find(Resource.NODES, "", node)
            .map(ApiObject::of)
            .ifPresent(seen -> Delete.sameUid(Resource.NODES, seen).send(context.kube().http()));
        context.journal().line("node %s has left the cluster".formatted(node));
      }
    }
    return false;
  }

  private void deleteApplications(String node) {
    KubeHttp http = context.kube().http();
    for (ApiObject pod :
        http.readAll(
            "pods of " + APPLICATIONS,
            Resource.PODS.in(APPLICATIONS).fieldSelector("spec.nodeName=" + node),
            ApiObject::of)) {
      var _ = http.send(Delete.sameUid(Resource.PODS, pod).call());
    }
  }

  private boolean isDraining(String node) {
    if (attempt == null) {
      attempt =
          new EdgeDrainAttempt(
              context.engine(),
              new EdgeDrainAttempt.Task(
                  node,
                  context.settings().holder(),
                  "leaves the cluster",
                  context.settings().skipWait()),
              context.files().settings(context.settings().settingsFile()).drainTimeout(),
              context.journal(),
              loop::wake);
    }
    boolean running = attempt.view() instanceof AttemptView.Running;
    attempt = running ? attempt : null;
    return running;
  }

  @Override
  public void close() {
    loop.close();
  }
}

package dev.drydock.edge.worker;

import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.edge.decide.ApiReach;
import dev.drydock.edge.decide.EdgeInput.AttemptView;
import dev.drydock.edge.decide.EdgeSettings;
import dev.drydock.edge.decide.LeavingStage;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Takes a node that has left its cluster out of it. A restarted agent begins again. */
final class LeavingController implements AutoCloseable {
  private static final String APPLICATIONS = "eve-kube-app";

  private final EdgeContext context;
  private final EdgeApi api;
  private final Runnable gone;
  private final ControlLoop loop;
  private LeavingStage stage = LeavingStage.CORDON;
  private @Nullable DrainAttempt attempt;
  private boolean leaving;

  LeavingController(EdgeContext context, EdgeApi api, Runnable gone) {
    this.context = context;
    this.api = api;
    this.gone = gone;
    loop = context.kube().loop("edge-leaving", context.settings().node(), this::step);
  }

  void leave() {
    synchronized (this) {
      if (leaving) {
        return;
      }
      leaving = true;
      stage = LeavingStage.CORDON;
    }
    loop.wake();
  }

  private synchronized Instant step() {
    while (leaving) {
      boolean replicas = false;
      try {
        String node = api.ownName();
        if (stage == LeavingStage.DRAIN && isDraining(node)) {
          return Instant.MAX;
        }
        replicas = perform(node);
      } catch (ApiFailure failure) {
        boolean mustSucceed = stage == LeavingStage.DELETE_NODE && failure.isRetriable();
        if (mustSucceed || ApiReach.isUnreachable(failure.code())) {
          throw failure;
        }
        report(failure);
      } catch (HoldsUnreadable unreadable) {
        report(unreadable);
      }
      stage = stage.next(replicas);
      if (stage == LeavingStage.GONE) {
        leaving = false;
        gone.run();
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
        var _ =
            context
                .kube()
                .http()
                .send(ApiCall.delete(Resource.NODES.path("", node), "{}"))
                .orThrow("node " + node);
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
      var _ = http.send(ApiCall.delete(Resource.PODS.path(pod.namespace(), pod.name()), "{}"));
    }
  }

  private boolean isDraining(String node) {
    if (attempt == null) {
      attempt =
          new DrainAttempt(
              context.engine(),
              new DrainAttempt.Task(
                  node,
                  context.settings().holder(),
                  "leaves the cluster",
                  context.settings().skipWait()),
              EdgeSettings.DEFAULT.drainTimeout(),
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

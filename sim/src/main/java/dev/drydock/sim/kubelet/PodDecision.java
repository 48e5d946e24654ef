package dev.drydock.sim.kubelet;

import dev.drydock.sim.kubelet.Host.State;
import dev.drydock.sim.kubelet.PodStep.Finish;
import dev.drydock.sim.kubelet.PodStep.Remove;
import dev.drydock.sim.kubelet.PodStep.Rest;
import dev.drydock.sim.kubelet.PodStep.SetReady;
import dev.drydock.sim.kubelet.PodStep.Start;
import dev.drydock.sim.kubelet.PodStep.WaitUntil;
import dev.drydock.sim.kubelet.PodView.Ending;
import dev.drydock.sim.kubelet.PodView.Phase;
import dev.drydock.sim.kubelet.PodView.Running;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides what a kubelet does next for a pod, from its API object, the knobs and the time. */
final class PodDecision {
  private static final PodStep REST = new Rest();
  private static final PodStep REMOVE = new Remove();

  // The exit code of a process that ended by SIGTERM or with its machine.
  private static final Finish STOPPED = new Finish(Phase.FAILED, "Error", 143);
  private static final Finish LOST_IN_REBOOT = new Finish(Phase.FAILED, "Unknown", 255);
  private static final Finish COMPLETED = new Finish(Phase.SUCCEEDED, "Completed", 0);

  private PodDecision() {}

  static PodStep decide(PodView pod, Host host, KubeletKnobs knobs, Instant now) {
    if (host.state() == State.SILENT) {
      return REST;
    }
    Ending ending = pod.ending();
    if (pod.phase().isTerminal()) {
      // Without remaining grace period the API server does not wait for the kubelet: only
      // finalizers keep the pod.
      boolean awaited = ending != null && ending.grace().isPositive();
      return awaited && host.state() == State.UP ? REMOVE : REST;
    }
    if (ending != null) {
      return stop(pod, ending, host, knobs, now);
    }
    Running running = pod.running();
    if (running == null) {
      return host.state() == State.UP ? start(0, knobs) : REST;
    }
    if (host.state() == State.REBOOTING) {
      return ready(pod, false);
    }
    if (!running.bootId().equals(host.bootId())) {
      return pod.program().neverRestart() ? LOST_IN_REBOOT : start(running.restarts() + 1, knobs);
    }
    return run(pod, running, knobs, now);
  }

  private static PodStep stop(
      PodView pod, Ending ending, Host host, KubeletKnobs knobs, Instant now) {
    if (host.state() == State.REBOOTING || knobs.refusesStop()) {
      return REST;
    }
    Instant stopped = ending.since().instant().plus(knobs.stopWithin(ending.grace()));
    Running running = pod.running();
    boolean gone = running == null || !running.bootId().equals(host.bootId());
    // A terminal phase comes first, as from a real kubelet: owners with finalizers (Jobs) wait for
    // it.
    return gone || !now.isBefore(stopped) ? STOPPED : new WaitUntil(stopped);
  }

  private static PodStep start(int restarts, KubeletKnobs knobs) {
    return new Start(restarts, !knobs.neverReady() && knobs.readyAfter().isZero());
  }

  private static PodStep run(PodView pod, Running running, KubeletKnobs knobs, Instant now) {
    Instant started = running.since().instant();
    @Nullable Instant completed = knobs.completeAfter().map(started::plus).orElse(null);
    if (completed != null && !now.isBefore(completed)) {
      return COMPLETED;
    }
    Instant readyAt = started.plus(knobs.readyAfter());
    boolean becameReady = pod.conditions().containersReady() || !now.isBefore(readyAt);
    PodStep change = ready(pod, becameReady && !knobs.neverReady());
    if (!change.equals(REST)) {
      return change;
    }
    boolean readyLater = !becameReady && !knobs.neverReady();
    if (readyLater && (completed == null || readyAt.isBefore(completed))) {
      return new WaitUntil(readyAt);
    }
    return completed == null ? REST : new WaitUntil(completed);
  }

  private static PodStep ready(PodView pod, boolean containers) {
    boolean whole = containers && pod.conditions().gatesPassed();
    boolean same =
        pod.conditions().containersReady() == containers && pod.conditions().ready() == whole;
    return same ? REST : new SetReady(containers, whole);
  }
}

package dev.drydock.sim.kubelet;

import dev.drydock.sim.kubelet.PodStep.Finish;
import dev.drydock.sim.kubelet.PodStep.SetReady;
import dev.drydock.sim.kubelet.PodStep.Start;
import dev.drydock.sim.kubelet.PodStep.Write;
import dev.drydock.sim.kubelet.PodView.Part;
import dev.drydock.sim.kubelet.PodView.Phase;
import dev.drydock.sim.kubelet.PodView.Role;
import dev.drydock.sim.kubelet.PodView.Running;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts a decision to a minimal status patch: fields that are not named stay unchanged. */
final class PodStatusPatch {
  private final PodView pod;
  private final Host host;
  private final Write write;
  private final String now;

  PodStatusPatch(PodView pod, Host host, Write write, Instant now) {
    this.pod = pod;
    this.host = host;
    this.write = write;
    this.now = Stamps.seconds(now);
  }

  /** The status of a pod that starts for the first time includes its address. */
  PodStatus status(String podAddress) {
    return switch (write) {
      case Start start -> started(start, podAddress);
      case SetReady ready -> readiness(ready);
      case Finish finish -> finished(finish);
    };
  }

  private PodStatus started(Start start, String podAddress) {
    PodStatusBuilder status = new PodStatusBuilder().withPhase("Running");
    boolean first = pod.running() == null;
    if (first) {
      status
          .withStartTime(now)
          .withHostIP(host.address())
          .addNewHostIP(host.address())
          .withPodIP(podAddress)
          .addNewPodIP(podAddress);
    }
    ContainerState runs =
        new ContainerStateBuilder().withNewRunning().withStartedAt(now).endRunning().build();
    ContainerState before =
        first ? new ContainerState() : terminated(new Finish(Phase.FAILED, "Unknown", 255));
    return status
        .addAllToContainerStatuses(
            statuses(Role.MAIN, runs, before, start.restarts(), start.ready()))
        .addAllToInitContainerStatuses(initStatuses(runs, before, start.restarts(), start.ready()))
        .addAllToConditions(
            conditions(start.ready(), start.ready() && pod.conditions().gatesPassed(), notReady()))
        .build();
  }

  private PodStatus readiness(SetReady ready) {
    PodStatusBuilder status = new PodStatusBuilder();
    Running running = pod.running();
    if (running != null && pod.conditions().containersReady() != ready.containers()) {
      ContainerState runs =
          new ContainerStateBuilder()
              .withNewRunning()
              .withStartedAt(Stamps.seconds(running.since().stamped()))
              .endRunning()
              .build();
      status
          .addAllToContainerStatuses(
              statuses(
                  Role.MAIN, runs, new ContainerState(), running.restarts(), ready.containers()))
          .addAllToInitContainerStatuses(
              initStatuses(runs, new ContainerState(), running.restarts(), ready.containers()));
    }
    return status
        .addAllToConditions(conditions(ready.containers(), ready.pod(), notReady()))
        .build();
  }

  private PodStatus finished(Finish finish) {
    Running running = pod.running();
    int restarts = running == null ? 0 : running.restarts();
    ContainerState ended = terminated(finish);
    String reason = finish.phase() == Phase.SUCCEEDED ? "PodCompleted" : "PodFailed";
    return new PodStatusBuilder()
        .withPhase(finish.phase() == Phase.SUCCEEDED ? "Succeeded" : "Failed")
        .addAllToContainerStatuses(
            statuses(Role.MAIN, ended, new ContainerState(), restarts, false))
        .addAllToInitContainerStatuses(initStatuses(ended, new ContainerState(), restarts, false))
        .addAllToConditions(conditions(false, false, reason))
        .build();
  }

  private ContainerState terminated(Finish finish) {
    Running running = pod.running();
    return new ContainerStateBuilder()
        .withNewTerminated()
        .withExitCode(finish.exitCode())
        .withReason(finish.reason())
        .withStartedAt(running == null ? now : Stamps.seconds(running.since().stamped()))
        .withFinishedAt(now)
        .endTerminated()
        .build();
  }

  private List<ContainerStatus> initStatuses(
      ContainerState sidecar, ContainerState before, int restarts, boolean ready) {
    ContainerState completed =
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(0)
            .withReason("Completed")
            .withStartedAt(now)
            .withFinishedAt(now)
            .endTerminated()
            .build();
    List<ContainerStatus> statuses = new ArrayList<>();
    statuses.addAll(statuses(Role.INIT, completed, before, restarts, true));
    statuses.addAll(statuses(Role.SIDECAR, sidecar, before, restarts, ready));
    return statuses;
  }

  private List<ContainerStatus> statuses(
      Role role, ContainerState state, ContainerState before, int restarts, boolean ready) {
    Running running = pod.running();
    String bootId = running == null || write instanceof Start ? host.bootId() : running.bootId();
    List<ContainerStatus> statuses = new ArrayList<>();
    for (Part part : pod.program().parts()) {
      if (part.role() == role) {
        statuses.add(
            new ContainerStatusBuilder()
                .withName(part.name())
                .withImage(part.image())
                .withImageID(part.image())
                .withContainerID(PodView.containerId(bootId, pod.identity().uid(), part))
                .withStarted(state.getRunning() != null)
                .withReady(ready)
                .withRestartCount(restarts)
                .withState(state)
                .withLastState(before)
                .build());
      }
    }
    return statuses;
  }

  private String notReady() {
    return host.state() == Host.State.REBOOTING ? "NodeRebooting" : "ContainersNotReady";
  }

  /** Only changed conditions, so that lastTransitionTime changes only with the status. */
  private List<PodCondition> conditions(boolean containers, boolean ready, String falseReason) {
    List<PodCondition> changed = new ArrayList<>();
    var held = pod.conditions();
    if (!held.scheduled()) {
      changed.add(condition("PodScheduled", true, null));
    }
    if (!held.initialized()) {
      changed.add(condition("Initialized", true, null));
    }
    boolean first = pod.running() == null;
    if (first || held.containersReady() != containers) {
      changed.add(condition("ContainersReady", containers, falseReason));
    }
    if (first || held.ready() != ready) {
      boolean gated = containers && !ready;
      changed.add(condition("Ready", ready, gated ? "ReadinessGatesNotReady" : falseReason));
    }
    return changed;
  }

  private PodCondition condition(String type, boolean holds, @Nullable String falseReason) {
    return new PodConditionBuilder()
        .withType(type)
        .withStatus(holds ? "True" : "False")
        .withLastTransitionTime(now)
        // Empty, not absent: a patch would keep the previous reason.
        .withReason(holds || falseReason == null ? "" : falseReason)
        .build();
  }
}

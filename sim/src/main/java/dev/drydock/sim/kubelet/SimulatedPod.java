package dev.drydock.sim.kubelet;

import dev.drydock.sim.kubelet.PodStep.Remove;
import dev.drydock.sim.kubelet.PodStep.Rest;
import dev.drydock.sim.kubelet.PodStep.WaitUntil;
import dev.drydock.sim.kubelet.PodStep.Write;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out the decisions for one pod. */
final class SimulatedPod {
  private final ObservedCluster observed;
  private final Serial serial;
  private volatile PodView view;
  private List<String> reported = List.of();

  SimulatedPod(ObservedCluster observed, PodView view) {
    this.observed = observed;
    this.view = view;
    this.serial = new Serial(observed.time(), observed.podTurns(), this::step);
  }

  PodView view() {
    return view;
  }

  void observe(PodView newer) {
    view = newer;
    serial.kick();
  }

  void kick() {
    serial.kick();
  }

  void stop() {
    serial.stop();
  }

  private @Nullable Instant step() throws IOException {
    PodView pod = view;
    SimulatedNode node = observed.node(pod.program().node());
    NodeView nodeView = node == null ? null : node.view();
    if (nodeView == null) {
      return null;
    }
    reported =
        observed.report(KnobWarnings.aboutPod(pod.identity()), pod.reading().problems(), reported);
    Instant now = observed.time().now();
    Host host = NodeDecision.host(nodeView, observed.defaults(), now);
    KubeletKnobs knobs =
        pod.reading()
            .knobs()
            .orElse(nodeView.reading().knobs())
            .orElse(observed.defaults())
            .drawnFor(pod.identity().uid());
    return switch (PodDecision.decide(pod, host, knobs, now)) {
      case Rest _ -> null;
      case WaitUntil wait -> wait.instant();
      case Remove _ -> {
        observed.api().removePod(pod.identity());
        yield now.plus(ObservedCluster.RECHECK);
      }
      case Write write -> {
        boolean first = pod.running() == null && write instanceof PodStep.Start;
        String address =
            !first ? "" : pod.program().hostNetwork() ? host.address() : observed.newPodAddress();
        observed
            .api()
            .patchPodStatus(
                pod.identity(), new PodStatusPatch(pod, host, write, now).status(address));
        yield now.plus(ObservedCluster.RECHECK);
      }
    };
  }
}

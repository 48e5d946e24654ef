package dev.drydock.sim;

import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.Controllers;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.control.node.NodeLifecycle;
import dev.drydock.sim.control.node.PodCollector;
import dev.drydock.sim.control.node.TaintEviction;
import dev.drydock.sim.control.schedule.Scheduler;
import dev.drydock.sim.control.workload.DaemonSetController;
import dev.drydock.sim.control.workload.DeploymentController;
import dev.drydock.sim.control.workload.JobController;
import dev.drydock.sim.control.workload.ReplicaSetController;
import dev.drydock.sim.control.workload.StatefulSetController;
import dev.drydock.sim.kubelet.ClusterKubelets;
import dev.drydock.sim.kubelet.Heartbeats;

/** Everything that acts in a simulated cluster besides its API server. */
final class ClusterControllers {
  private final ClusterKubelets kubelets;
  private final Scheduler scheduler;
  private final WorkQueue queue;

  ClusterControllers(ApiServerParts parts, SimulatedCluster.Settings settings) {
    Controllers controllers = parts.controllers();
    ControllerClient client = controllers.client();
    ClusterIndex index = controllers.index();
    queue = controllers.queue();
    kubelets = new ClusterKubelets(client, queue, index, settings.knobs());
    scheduler = new Scheduler(client, queue, parts.store());
    controllers.add(kubelets);
    controllers.add(kubelets.pods());
    if (settings.heartbeats()) {
      controllers.add(new Heartbeats(client, queue, kubelets));
    }
    controllers.add(new NodeLifecycle(client, queue, index, kubelets::isBeating));
    controllers.add(new TaintEviction(client, queue, index));
    controllers.add(new PodCollector(client, queue, index));
    controllers.add(new StatefulSetController(client, queue, index));
    controllers.add(new DaemonSetController(client, queue, index));
    controllers.add(new JobController(client, queue, index));
    controllers.add(new DeploymentController(client, queue, index));
    controllers.add(new ReplicaSetController(client, queue, index));
    controllers.add(scheduler);
  }

  ClusterKubelets kubelets() {
    return kubelets;
  }

  SimulatedCluster.Effort effort() {
    return new SimulatedCluster.Effort(queue.looks(), scheduler.checks());
  }
}

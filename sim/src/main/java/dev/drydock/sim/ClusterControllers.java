package dev.drydock.sim;

import dev.drydock.sim.control.Agenda;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.Controllers;
import dev.drydock.sim.control.Writes;
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

/** All that acts in a simulated cluster besides its API server. */
final class ClusterControllers {
  private final ClusterKubelets kubelets;
  private final Scheduler scheduler;
  private final Agenda agenda;

  ClusterControllers(Simulation simulation, SimulatedCluster.Settings settings) {
    Controllers controllers = simulation.controllers();
    Writes writes = controllers.writes();
    ClusterIndex index = controllers.index();
    agenda = controllers.agenda();
    kubelets = new ClusterKubelets(writes, agenda, index, settings.knobs());
    scheduler = new Scheduler(writes, agenda, simulation.store());
    controllers.add(kubelets);
    controllers.add(kubelets.pods());
    if (settings.heartbeats()) {
      controllers.add(new Heartbeats(writes, agenda, kubelets));
    }
    controllers.add(new NodeLifecycle(writes, agenda, index, kubelets::isBeating));
    controllers.add(new TaintEviction(writes, agenda, index));
    controllers.add(new PodCollector(writes, agenda, index));
    controllers.add(new StatefulSetController(writes, agenda, index));
    controllers.add(new DaemonSetController(writes, agenda, index));
    controllers.add(new JobController(writes, agenda, index));
    controllers.add(new DeploymentController(writes, agenda, index));
    controllers.add(new ReplicaSetController(writes, agenda, index));
    controllers.add(scheduler);
  }

  ClusterKubelets kubelets() {
    return kubelets;
  }

  SimulatedCluster.Effort effort() {
    return new SimulatedCluster.Effort(agenda.looks(), scheduler.checks());
  }
}

package dev.drydock.sim.control;

/** The storage names of the resources that controllers use. */
public final class Resources {
  public static final String NODES = "nodes.";
  public static final String PODS = "pods.";
  public static final String EVENTS = "events.";
  public static final String REPLICA_SETS = "replicasets.apps";
  public static final String DEPLOYMENTS = "deployments.apps";
  public static final String STATEFUL_SETS = "statefulsets.apps";
  public static final String DAEMON_SETS = "daemonsets.apps";
  public static final String JOBS = "jobs.batch";
  public static final String LEASES = "leases.coordination.k8s.io";
  public static final String PRIORITY_CLASSES = "priorityclasses.scheduling.k8s.io";

  private Resources() {}
}

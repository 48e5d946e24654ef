package dev.drydock.maintenance.control;

import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.UnreadableObject;
import dev.drydock.kube.Watch;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Classes, their Jobs and the objects by which nodes are emptied, kept up to date by watches. */
final class ClassCaches implements AutoCloseable {
  private final KubeHttp http;
  private final Watch<MaintenanceClassObject> classes;
  private final Watch<JobObject> jobs;
  private final DrainObjects drains;
  private final JobPods jobPods;

  /**
   * @param changed gets the node's name when something changed; empty for all nodes
   */
  ClassCaches(Kube kube, Consumer<String> changed) {
    http = kube.http();
    classes =
        kube.watches()
            .of(
                Watch.Kind.of(MaintenanceClassObject.ALL, MaintenanceClassObject::read)
                    .groupedBy(MaintenanceClassObject::name)
                    .reportingUnreadable(MaintenanceClassObject.RESOURCE),
                MaintenanceCaches.waker(changed, _ -> ""));
    jobs =
        kube.watches()
            .of(
                Watch.Kind.of(JobObject.ALL, JobObject::read),
                MaintenanceCaches.waker(changed, JobObject::node));
    drains = new DrainObjects(kube, changed);
    jobPods = new JobPods(kube, changed);
  }

  void start() {
    classes.start();
    jobs.start();
    jobPods.start();
  }

  /** Whether the caches are in sync. */
  boolean isKnown() {
    return classes.state().unsynced().isEmpty() && jobs.state().unsynced().isEmpty();
  }

  List<MaintenanceClassObject> classes() {
    return classes.state().items();
  }

  /**
   * Empty if it has none, or its class does not exist.
   *
   * @throws UnreadableObject if the class exists but cannot be parsed
   */
  Optional<MaintenanceClassObject> maintenanceClass(NotifyMaintenanceObject of) {
    String name = of.facts().spec().maintenanceClass();
    if (name == null) {
      return Optional.empty();
    }
    Watch.State<MaintenanceClassObject> state = classes.state(name);
    if (state.unreadable().containsKey(name)) {
      throw new UnreadableObject("MaintenanceClass " + name, state.unreadable().get(name));
    }
    return state.items().stream().findFirst();
  }

  List<JobObject> jobs() {
    return jobs.state().items();
  }

  /** Reads all Jobs from the API server. */
  List<JobObject> readJobs() {
    return http.readAll("list of Jobs", JobObject.ALL, JobObject::read);
  }

  JobPods jobPods() {
    return jobPods;
  }

  DrainObjects drains() {
    return drains;
  }

  @Override
  public void close() {
    classes.close();
    jobs.close();
    drains.close();
    jobPods.close();
  }
}

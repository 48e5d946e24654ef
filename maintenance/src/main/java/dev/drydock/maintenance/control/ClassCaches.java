package dev.drydock.maintenance.control;

import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Classes, their Jobs and the objects by which nodes are emptied, kept up to date by watches. */
final class ClassCaches implements AutoCloseable {
  private final KubeHttp http;
  private final Watch<MaintenanceClassObject> classes;
  private final Watch<JobObject> jobs;
  private final DrainObjects drains;

  /**
   * @param changed told the node's name when something changed; empty for all nodes
   */
  ClassCaches(KubeHttp http, Consumer<String> changed) {
    this.http = http;
    classes =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(MaintenanceClassObject.ALL, MaintenanceClassObject::read)
                    .groupedBy(MaintenanceClassObject::name),
                waker(changed, each -> ""),
                Backoff.USUAL);
    jobs =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(JobObject.ALL, JobObject::read),
                waker(changed, JobObject::node),
                Backoff.USUAL);
    drains = new DrainObjects(new Kube(http, TimeSource.REAL), changed);
  }

  private static <T> Watch.Listener<T> waker(Consumer<String> changed, Function<T, String> node) {
    return new Watch.Listener<>() {
      @Override
      public void changed(@Nullable T before, @Nullable T after) {
        T one = after == null ? before : after;
        if (one != null) {
          changed.accept(node.apply(one));
        }
      }

      @Override
      public void refreshed() {
        changed.accept("");
      }
    };
  }

  void start() {
    classes.start();
    jobs.start();
  }

  /** Whether what is not seen does not exist. */
  boolean isKnown() {
    return classes.state().unsynced().isEmpty() && jobs.state().unsynced().isEmpty();
  }

  List<MaintenanceClassObject> classes() {
    return classes.state().items();
  }

  Optional<MaintenanceClassObject> maintenanceClass(NotifyMaintenanceObject of) {
    String name = of.facts().spec().maintenanceClass();
    return name == null ? Optional.empty() : classes.state(name).items().stream().findFirst();
  }

  List<JobObject> jobs() {
    return jobs.state().items();
  }

  /** As they are now, past the cache. */
  List<JobObject> readJobs() {
    List<JobObject> all = new ArrayList<>();
    var _ =
        http.list(
                JobObject.ALL,
                object -> {
                  JobObject job = JobObject.read(object);
                  if (job != null) {
                    all.add(job);
                  }
                })
            .orThrow("list of Jobs");
    return all;
  }

  DrainObjects drains() {
    return drains;
  }

  @Override
  public void close() {
    classes.close();
    jobs.close();
    drains.close();
  }
}

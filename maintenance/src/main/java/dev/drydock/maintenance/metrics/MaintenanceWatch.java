package dev.drydock.maintenance.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps in mind all NotifyMaintenances, for their numbers; and tells whether we see the cluster as
 * it is.
 */
public final class MaintenanceWatch implements AutoCloseable {
  private static final Source ALL =
      new Source(
          "/apis/%s/%s/%s"
              .formatted(
                  NotifyMaintenance.GROUP, NotifyMaintenance.VERSION, NotifyMaintenance.PLURAL),
          "");

  private final Watch<MaintenanceSample> objects;

  public MaintenanceWatch(KubeHttp http) {
    objects =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(Watch.Kind.of(ALL, MaintenanceWatch::read), new NobodyWaits(), Backoff.USUAL);
  }

  /** One that is over stays as a record, in the state that it ended in. */
  private static @Nullable MaintenanceSample read(JsonNode object) {
    return NotifyMaintenanceObject.read(object).facts().isOver()
        ? null
        : MaintenanceSample.read(object);
  }

  public void start() {
    objects.start();
  }

  public List<MaintenanceSample> samples() {
    return objects.state().items();
  }

  /** Why the cluster is not seen as it is, if so. */
  public Optional<String> unsynced() {
    return objects.state().unsynced();
  }

  @Override
  public void close() {
    objects.close();
  }

  /** What is known is looked at when somebody asks. */
  private static final class NobodyWaits implements Watch.Listener<MaintenanceSample> {
    @Override
    public void changed(@Nullable MaintenanceSample before, @Nullable MaintenanceSample after) {}

    @Override
    public void refreshed() {}
  }
}

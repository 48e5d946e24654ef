package dev.drydock.maintenance.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps in mind all NotifyMaintenances, for their numbers. The process is ready while this is up to
 * date.
 */
public final class MaintenanceWatch implements AutoCloseable {
  private final Watch<MaintenanceSample> objects;

  public MaintenanceWatch(Kube kube) {
    objects =
        kube.watches()
            .of(
                Watch.Kind.of(NotifyMaintenanceObject.RESOURCE.all(), MaintenanceWatch::read),
                Watch.Listener.waking(() -> {})); // looked at when somebody asks
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

  @Override
  public void close() {
    objects.close();
  }
}

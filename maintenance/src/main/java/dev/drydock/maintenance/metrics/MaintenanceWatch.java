package dev.drydock.maintenance.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.List;

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

  /**
   * One whose deletion was notified only waits for its node, and one that is over is a record: both
   * count in no state, whatever they ended in.
   */
  static MaintenanceSample read(JsonNode object) {
    MaintenanceFacts facts = NotifyMaintenanceObject.read(object).facts();
    MaintenanceSample sample = MaintenanceSample.read(object);
    return facts.isOver() || facts.terminated() ? sample.withoutState() : sample;
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

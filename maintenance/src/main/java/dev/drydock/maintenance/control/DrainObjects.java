package dev.drydock.maintenance.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.CompletionObjects;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.decide.ClassAutomationInput.DrainProgress;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The objects by which nodes are emptied, of any kind. */
final class DrainObjects implements AutoCloseable {
  private final CompletionObjects objects;

  /**
   * @param changed gets the node's name when its drain changed; empty for all nodes
   */
  DrainObjects(Kube kube, Consumer<String> changed) {
    objects =
        new CompletionObjects(
            kube,
            new CompletionObjects.Markers(
                JobObject.MAINTENANCE, JobObject.NODE, DrainObject.FINALIZER),
            changed);
  }

  private static CompletionObjects.Owner owner(NotifyMaintenanceObject maintenance) {
    return new CompletionObjects.Owner(
        maintenance.uid(),
        maintenance.facts().identity().namespace(),
        JobTemplate.owner(maintenance));
  }

  DrainProgress emptying(NotifyMaintenanceObject maintenance, DrainObject wanted) {
    return wanted.emptying(objects.progress(owner(maintenance), wanted.object()));
  }

  /** The object as the cache knows it. */
  Optional<JsonNode> find(NotifyMaintenanceObject maintenance, DrainObject wanted) {
    return objects.find(owner(maintenance), wanted.object()).map(ApiObject::root);
  }

  void create(NotifyMaintenanceObject maintenance, DrainObject wanted) {
    objects.create(owner(maintenance), wanted.object());
  }

  /**
   * Deletes whatever was made to drain the node for a maintenance.
   *
   * @param byClass what its class makes now, if it makes something
   */
  void deleteAll(NotifyMaintenanceObject maintenance, Optional<DrainObject> byClass) {
    Stream<DrainObject> others =
        DrainObject.possible(maintenance).stream()
            .filter(other -> byClass.filter(other::isNamedLike).isEmpty());
    objects.deleteAll(
        owner(maintenance),
        Stream.concat(byClass.stream(), others).map(DrainObject::object).toList());
  }

  @Override
  public void close() {
    objects.close();
  }
}

package dev.drydock.maintenance.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.UnreadableObject;
import dev.drydock.kube.Watch;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Says on every MaintenanceClass whether maintenances of this class can run, and why not. */
final class ClassStatusController
    implements AutoCloseable, Watch.Listener<ClassStatusController.JudgedClass> {
  private static final String READY = "Ready";
  private static final int LONGEST_MESSAGE = 1000;

  private final Kube kube;
  private final Watch<JudgedClass> classes;
  private final ControlLoops<String> loops;

  /**
   * A class.
   *
   * @param mistake why it cannot be used; empty if it can
   */
  record JudgedClass(ApiObject object, String mistake) {
    static JudgedClass read(JsonNode object) {
      AtomicReference<String> mistake = new AtomicReference<>("");
      UnreadableObject.leftOut(
              MaintenanceClassObject::read, _ -> {}, bad -> mistake.set(bad.getMessage()))
          .accept(object);
      return new JudgedClass(ApiObject.of(object), mistake.get());
    }

    String name() {
      return object.name();
    }

    private Condition ready() {
      return mistake.isEmpty()
          ? Condition.of(READY, true, "Accepted", "")
          : Condition.of(READY, false, "Mistakes", ShortText.of(mistake, LONGEST_MESSAGE));
    }
  }

  ClassStatusController(Kube kube) {
    this.kube = kube;
    loops = kube.loops("class-status", name -> () -> report(name));
    classes =
        kube.watches()
            .of(
                Watch.Kind.of(MaintenanceClassObject.ALL, JudgedClass::read)
                    .groupedBy(JudgedClass::name)
                    .ifServed(),
                this);
  }

  void start() {
    classes.start();
  }

  @Override
  public void changed(@Nullable JudgedClass before, @Nullable JudgedClass after) {
    if (after != null) {
      loops.wake(after.name());
    }
  }

  @Override
  public void refreshed() {
    classes.state().items().forEach(each -> loops.wake(each.name()));
  }

  private Optional<Instant> report(String name) {
    classes.state(name).items().stream().findFirst().ifPresent(this::report);
    return Optional.empty();
  }

  private void report(JudgedClass seen) {
    ApiObject object = seen.object();
    Condition ready = seen.ready();
    if (object.deleted() || object.conditions().says(ready)) {
      return;
    }
    ObjectNode entry =
        object
            .conditions()
            .entry(ready, kube.clock().instant())
            .put("observedGeneration", object.generation());
    var _ =
        Patch.ifUnchanged(MaintenanceClassObject.RESOURCE, object)
            .status(status -> status.set("conditions", object.conditions().with(entry)))
            .send(kube.http());
  }

  @Override
  public void close() {
    loops.close();
    classes.close();
  }
}

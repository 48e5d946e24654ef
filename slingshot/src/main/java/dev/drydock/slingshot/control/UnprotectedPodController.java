package dev.drydock.slingshot.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.StepObjects;
import dev.drydock.kube.Watch;
import dev.drydock.slingshot.decide.DevicePod;
import dev.drydock.slingshot.decide.EffectiveSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells the owners of pods that use a device and have no retry handler, although the mode is {@code
 * sidecar}. Pods are admitted without one while no operator answers, so somebody has to say so
 * later.
 */
public final class UnprotectedPodController implements AutoCloseable {
  private static final String LOOP = "cxi-unprotected-pods";

  /** Pods come in many at once. */
  private static final Duration GATHERED = Duration.ofSeconds(1);

  private static final EventRecorder.Occurrence NOT_INJECTED =
      new EventRecorder.Occurrence(true, "RetryHandlerNotInjected", "Inject");

  private final Kube kube;
  private final Supplier<Optional<EffectiveSpec>> active;
  private final ControlLoop loop;
  private final StepObjects turns;

  /** UIDs of pods whose owners were told; the Events themselves keep others from repeating it. */
  private final Set<String> told = new HashSet<>();

  /** There is one only while the mode is sidecar: it reads every pod of the cluster. */
  private @Nullable Watch<Seen> pods;

  private boolean closed;

  /** A pod with devices, and whom to tell about it. */
  private record Seen(ApiObject object, EventRecorder.Regarding owner, DevicePod pod) {}

  /**
   * @param active the spec of the active CXIDriver; {@link #wake} when it changes
   */
  public UnprotectedPodController(Kube kube, Supplier<Optional<EffectiveSpec>> active) {
    this.kube = kube;
    this.active = active;
    loop = kube.loop(LOOP, "", ControlLoop.Debounce.fixed(GATHERED), this::step);
    turns = kube.stepObjects(LOOP);
  }

  public void wake() {
    loop.wake();
  }

  private Instant step() {
    Optional<EffectiveSpec> spec =
        active.get().filter(each -> each.retryHandler().mode() == RetryHandlerMode.sidecar);
    Optional<Watch<Seen>> watch = watch(spec.isPresent());
    if (watch.isEmpty() || watch.get().state().unsynced().isPresent()) {
      return Instant.MAX; // woken when it is known
    }
    List<Seen> all = watch.get().state().items();
    told.retainAll(all.stream().map(each -> each.object().uid()).collect(Collectors.toSet()));
    for (Seen seen : all) {
      if (!told.contains(seen.object().uid()) && seen.pod().mayBeUnprotected(spec.orElseThrow())) {
        var _ = turns.run(seen.object().toString(), () -> tell(seen, spec.orElseThrow()));
      }
    }
    return turns.done(Instant.MAX);
  }

  private synchronized Optional<Watch<Seen>> watch(boolean needed) {
    if (pods != null && (!needed || closed)) {
      pods.close();
      pods = null;
    } else if (pods == null && needed && !closed) {
      pods =
          kube.watches()
              .of(
                  Watch.Kind.of(
                          Resource.PODS.all().labelSelector("!" + CxiNames.INJECTED_BY),
                          UnprotectedPodController::read)
                      .optional(),
                  Watch.Listener.waking(loop::wake))
              .start();
    }
    return Optional.ofNullable(pods);
  }

  private void tell(Seen seen, EffectiveSpec spec) {
    Optional<ApiObject> namespace =
        kube.http().find(Resource.NAMESPACES, "", seen.object().namespace()).map(ApiObject::of);
    if (namespace.filter(each -> seen.pod().isUnprotected(spec, each.labels())).isPresent()) {
      kube.events()
          .recordOnce(
              seen.owner(),
              NOT_INJECTED,
              "pod %s uses %s and was admitted without a retry handler; delete it to have it created with one"
                  .formatted(seen.object().name(), spec.devicePlugin().resourceName()),
              seen.object().uid());
    }
    told.add(seen.object().uid());
  }

  private static @Nullable Seen read(JsonNode root) {
    Set<String> resources = new HashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : root.path("spec").path(list)) {
        for (String kind : List.of("limits", "requests")) {
          container.path("resources").path(kind).fieldNames().forEachRemaining(resources::add);
        }
        if (text(container, "name").equals(CxiNames.SIDECAR)) {
          return null;
        }
      }
    }
    resources.removeIf(name -> name.indexOf('/') < 0);
    boolean ended = List.of("Succeeded", "Failed").contains(text(root.path("status"), "phase"));
    if (resources.isEmpty() || ended) {
      return null;
    }
    ApiObject pod = ApiObject.of(root);
    return new Seen(
        ApiObject.identified(pod.namespace(), pod.name(), pod.uid(), pod.version()),
        owner(pod),
        new DevicePod(
            Set.copyOf(resources), Optional.ofNullable(pod.annotations().get(CxiNames.INJECT))));
  }

  private static EventRecorder.Regarding owner(ApiObject pod) {
    return ApiObject.controller(pod.root())
        .map(
            owner ->
                new EventRecorder.Regarding(
                    text(owner, "apiVersion"),
                    text(owner, "kind"),
                    pod.namespace(),
                    text(owner, "name"),
                    text(owner, "uid")))
        .orElseGet(() -> pod.regarding(Resource.PODS));
  }

  @Override
  public void close() {
    loop.close();
    turns.close();
    synchronized (this) {
      closed = true;
      if (pods != null) {
        pods.close();
        pods = null;
      }
    }
  }
}

package dev.drydock.slurm.drainer;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Bugs;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import dev.drydock.slurm.drainer.SlinkyRequestObject.RequestKey;
import dev.drydock.slurm.drainer.decide.DrainAnswer;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider;
import dev.drydock.slurm.worker.WorkerPodObject;
import dev.drydock.slurm.worker.WorkerWatches;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Drains nodes that run Slurm workers, as DrainRequests ask: the Node is annotated, so that Slurm
 * gives it no new jobs, and its workers are deleted when Slurm says that their jobs have ended.
 */
public final class SlinkyDrainController implements AutoCloseable {
  private final ControlLoops<RequestKey> loops;
  private final Watch<SlinkyRequestObject> requests;
  private final WorkerWatches workers;
  private final AndonCord cord;
  private volatile Optional<String> stopped = Optional.of("the andon cord has not been read yet");
  private @Nullable Runnable cordWatch;

  /**
   * Where and how it drains.
   *
   * @param slinkyNamespace of the pods that are Slurm's workers
   * @param cordNamespace where the andon cord is
   */
  public record Options(
      String slinkyNamespace, String cordNamespace, SlinkyDrainDecider.Limits limits) {}

  public SlinkyDrainController(Kube kube, Options options, MeterRegistry meters) {
    loops = kube.loops("slinky-drain", key -> reconciler(kube, options, meters, key));
    requests =
        kube.watches()
            .of(
                Watch.Kind.of(SlinkyRequestObject.RESOURCE.all(), SlinkyRequestObject::read)
                    .groupedBy(SlinkyRequestObject::node)
                    .reportingUnreadable(SlinkyRequestObject.RESOURCE),
                new RequestListener());
    workers =
        new WorkerWatches(
            kube, Resource.PODS.in(options.slinkyNamespace()), this::wakeNode, loops::wakeAll);
    cord = new AndonCord(kube, options.cordNamespace());
  }

  private SlinkyDrainReconciler reconciler(
      Kube kube, Options options, MeterRegistry meters, RequestKey key) {
    return new SlinkyDrainReconciler(new Setting(kube, options, meters), key);
  }

  /** What all reconcilers share. */
  final class Setting {
    private final Kube kube;
    private final Options options;
    private final MeterRegistry meters;

    private Setting(Kube kube, Options options, MeterRegistry meters) {
      this.kube = kube;
      this.options = options;
      this.meters = meters;
    }

    Kube kube() {
      return kube;
    }

    SlinkyDrainDecider.Limits limits() {
      return options.limits();
    }

    WorkerWatches workers() {
      return workers;
    }

    Optional<String> stopped() {
      return stopped;
    }

    List<SlinkyRequestObject> requestsFor(String node) {
      return requests.state(node).items();
    }

    /** Those that the API server has now. */
    List<SlinkyRequestObject> requestsNow(String node) {
      return kube.http()
          .readAll(
              "DrainRequests",
              SlinkyRequestObject.RESOURCE.all(),
              object ->
                  text(object.path("spec"), "nodeName").equals(node)
                      ? readable(object).orElse(null)
                      : null);
    }

    /** The workers on a node that the API server has now. */
    List<WorkerPodObject> workersNow(String node) {
      return kube.http()
          .readAll(
              "pods of node " + node,
              Resource.PODS.in(options.slinkyNamespace()).fieldSelector("spec.nodeName=" + node),
              WorkerPodObject::read);
    }

    /** Whether a request that is not there does not exist. */
    boolean isKnown() {
      return requests.state("").unsynced().isEmpty();
    }

    void ended(DrainAnswer.Reason reason) {
      meters.counter("drydock_slinky_drains", "outcome", reason.name()).increment();
    }
  }

  /** One that cannot be read is not served, so it needs nothing. */
  private static Optional<SlinkyRequestObject> readable(JsonNode request) {
    return Bugs.call(() -> Optional.of(SlinkyRequestObject.read(request)), _ -> Optional.empty());
  }

  /** A request also concerns the others for the same node: they share its annotation. */
  private final class RequestListener implements Watch.Listener<SlinkyRequestObject> {
    @Override
    public void changed(@Nullable SlinkyRequestObject before, @Nullable SlinkyRequestObject after) {
      if (before != null) {
        loops.wake(before.key());
        wakeNode(before.node());
      }
      if (after != null) {
        wakeNode(after.node());
      }
    }

    @Override
    public void refreshed() {
      loops.wakeAll();
      requests.state().items().forEach(request -> loops.wake(request.key()));
    }
  }

  private void wakeNode(String node) {
    requests.state(node).items().forEach(request -> loops.wake(request.key()));
  }

  public void start() {
    cordWatch =
        cord.watch(
            pulled -> {
              stopped = pulled;
              loops.wakeAll();
            });
    workers.start();
    requests.start();
  }

  @Override
  public void close() {
    if (cordWatch != null) {
      cordWatch.run();
    }
    loops.close();
    requests.close();
    workers.close();
  }
}

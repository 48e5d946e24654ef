package dev.drydock.slurm.mock;

import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Resource;
import dev.drydock.kube.StepObjects;
import dev.drydock.slurm.worker.PodConditions;
import dev.drydock.slurm.worker.WorkerNodeObject;
import dev.drydock.slurm.worker.WorkerPodObject;
import dev.drydock.slurm.worker.WorkerWatches;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in for Slurm where there is none: says that workers are drained as soon as their Node is
 * annotated. It never takes that back.
 */
public final class MockSlurmOperator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MockSlurmOperator.class);

  private static final String LOOP = "mock-slurm";

  private final Kube kube;
  private final Duration interval;
  private final PodConditions conditions;
  private final WorkerWatches workers;
  private final ControlLoops<String> loops;

  /**
   * @param namespace of the pods that are Slurm's workers
   * @param interval the longest time between two looks at an annotated node
   */
  public MockSlurmOperator(Kube kube, String namespace, Duration interval) {
    this.kube = kube;
    this.interval = interval;
    conditions = new PodConditions(kube);
    loops = kube.loops(LOOP, MockedNode::new);
    workers = new WorkerWatches(kube, Resource.PODS.in(namespace), loops::wake, this::wakeAll);
  }

  public void start() {
    workers.start();
  }

  private void wakeAll() {
    loops.wakeAll();
    workers.concerned().forEach(loops::wake);
  }

  private final class MockedNode implements ControlLoops.Reconciler {
    private final String node;
    private final StepObjects turns = kube.stepObjects(LOOP);
    private final Latest<WorkerPodObject> pods = new Latest<>();

    MockedNode(String node) {
      this.node = node;
    }

    @Override
    public Optional<Instant> step() {
      Optional<String> reason =
          workers.node(node).map(WorkerNodeObject::facts).flatMap(each -> each.cordonReason());
      List<WorkerPodObject> present = pods.of(workers.podsOn(node));
      if (reason.isEmpty() || present.isEmpty()) {
        return Optional.empty();
      }
      present.stream()
          .filter(pod -> !pod.facts().is(SlurmNames.DRAIN))
          .forEach(pod -> turns.run(pod.object().toString(), () -> sayDrained(pod, reason.get())));
      return Optional.of(turns.done(kube.clock().instant().plus(interval)));
    }

    private void sayDrained(WorkerPodObject pod, String reason) {
      pods.wrote(
          conditions.write(
              pod,
              Map.of(
                  SlurmNames.DRAIN,
                  new SlurmCondition("True", "NodeCordonedBySlinkyDrainer", reason),
                  SlurmNames.IDLE,
                  new SlurmCondition("True", "NodeDrained", "no jobs run on the node"))));
      LOG.info("pod {} on node {}: {}=True: {}", pod.object(), node, SlurmNames.DRAIN, reason);
    }

    @Override
    public void close() {
      turns.close();
    }
  }

  @Override
  public void close() {
    loops.close();
    workers.close();
  }
}

package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.NodeIndex;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The drain engine: drains any number of nodes at once. Runs share the concurrency limit, the turn
 * at each budget, the budgets' watches and what was looked up. Safe for use by many threads. It has
 * no thread of its own and waits for nothing: everything happens in control loops.
 */
public final class DrainEngine implements AutoCloseable {
  private final EngineContext context;
  private final List<Runnable> users = new CopyOnWriteArrayList<>();

  /**
   * How an engine works.
   *
   * @param ceiling the most changes under way at the server at a time
   * @param answerWithin an eviction without an answer until then is asked for again
   * @param evictionLabels on all Evictions, for admission policies to know them by
   */
  public record Options(int ceiling, Duration answerWithin, Map<String, String> evictionLabels) {
    public static final Options DEFAULT = new Options(60, KubeHttp.ANSWER_WITHIN, Map.of());

    public Options {
      evictionLabels = Map.copyOf(evictionLabels);
    }

    public Options withAnswerWithin(Duration time) {
      return new Options(ceiling, time, evictionLabels);
    }

    public Options withEvictionLabels(Map<String, String> labels) {
      return new Options(ceiling, answerWithin, labels);
    }
  }

  /** The {@link Kube} stays open when the engine is closed. */
  public DrainEngine(Kube kube, Options options) {
    context = new EngineContext(kube, options);
  }

  /** With the default options. */
  public DrainEngine(Kube kube) {
    this(kube, Options.DEFAULT);
  }

  /** Holds the node for the task's holder and drains it; returns at once. */
  public DrainRun start(DrainTask task, DrainListener listener) {
    DrainRun run = new DrainRun(task, listener, context);
    context.begun(run);
    run.start();
    return run;
  }

  /**
   * Looks at nodes that are about to be drained, in this order, and says who holds them now. When
   * they are a good part of the cluster, their drains share what they watch.
   *
   * @throws ApiFailure for one that does not exist or cannot be read
   */
  public Map<String, Holds> preflight(List<String> nodes) {
    DrainPreflight.Found found = new DrainPreflight(context.kube(), context.holds()).of(nodes);
    context.share(found.watches());
    return found.holds();
  }

  public NodeHolds holds() {
    return context.holds();
  }

  /** All Nodes of the cluster, watched from the first call until the engine is closed. */
  public NodeIndex<DrainNodeObject> everyNode() {
    return context.everyNode();
  }

  /** The connection that its runs use. */
  public Kube kube() {
    return context.kube();
  }

  /**
   * The pods of a node as they are now. What only their owners know is not looked up.
   *
   * @throws ApiFailure if they cannot be read
   */
  public List<PodFacts> pods(String node) {
    return context.pods(node);
  }

  /** Plans for a person, who waits for them: not for control loops. */
  public DrainPlanReader plans() {
    return new DrainPlanReader(context, true);
  }

  /**
   * Pods that a drain would have to remove now, by namespace and name: for a control loop that
   * begins something on an empty node and must not rely on what a drain said earlier.
   *
   * @throws ApiFailure if it cannot be found out
   */
  public List<String> left(String node, DrainPolicy policy) {
    return new DrainPlanReader(context, false).plan(node, policy).left();
  }

  /** No run starts anything new until {@link #resume}; terminating pods continue to terminate. */
  public void stop(String reason) {
    context.andon(Optional.of(reason));
  }

  public void resume() {
    context.andon(Optional.empty());
  }

  /** Why nothing new may begin, if so. */
  public Optional<String> stopped() {
    return context.andon();
  }

  /**
   * Ends users of the engine when it is closed, before its runs end: they would take that for the
   * end of a drain.
   */
  public void onClose(Runnable end) {
    users.add(end);
  }

  /** Ends all runs where they are, without a further request; they can be continued. */
  @Override
  public void close() {
    users.forEach(Runnable::run);
    context.close();
  }
}

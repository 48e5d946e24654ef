package dev.drydock.drain.engine;

import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.hold.HoldController;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.request.DrainRequestClient;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.serve.feature.HoldOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The drain engine: drains any number of nodes at once. Runs share the concurrency limit, the turn
 * at each budget, the budgets' watches and what was looked up. Safe for use by many threads. It has
 * no thread of its own and waits for nothing: everything happens in control loops.
 */
public final class DrainEngine implements AutoCloseable {
  private final EngineContext context;
  private final Options options;
  private final Set<Runnable> services = ConcurrentHashMap.newKeySet();

  /**
   * How an engine works.
   *
   * @param ceiling the most changes under way at the server at a time
   * @param answerWithin an eviction without an answer until then is asked for again
   * @param evictionLabels on all Evictions, for admission policies to know them by
   * @param serves which DrainRequests are served, if any
   */
  public record Options(
      int ceiling,
      Duration answerWithin,
      Map<String, String> evictionLabels,
      ServedRequests serves) {
    public static final Options DEFAULT =
        new Options(60, KubeHttp.ANSWER_WITHIN, Map.of(), ServedRequests.NAMED);

    public Options {
      evictionLabels = Map.copyOf(evictionLabels);
    }

    public Options withAnswerWithin(Duration time) {
      return new Options(ceiling, time, evictionLabels, serves);
    }

    public Options withEvictionLabels(Map<String, String> labels) {
      return new Options(ceiling, answerWithin, labels, serves);
    }

    public Options serving(ServedRequests which) {
      return new Options(ceiling, answerWithin, evictionLabels, which);
    }
  }

  /** The {@link Kube} stays open when the engine is closed. */
  public DrainEngine(Kube kube, Options options) {
    this.options = options;
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

  /** Names of the nodes that a label selector matches, in order. */
  public List<String> nodes(String selector) {
    return plans().nodes(selector);
  }

  /**
   * Looks at nodes that are about to be drained, in this order, and says who holds them now. When
   * they are a good part of the cluster, their drains share what they watch.
   *
   * @throws ApiFailure for one that does not exist or cannot be read
   */
  public Map<String, Holds> gather(List<String> nodes) {
    DrainPreflight.Found found = new DrainPreflight(context.kube(), context.holds()).of(nodes);
    context.share(found.watches());
    return found.holds();
  }

  public NodeHolds holds() {
    return context.holds();
  }

  /** Starts to serve DrainRequests, until the engine is closed. Run one instance per cluster. */
  public void serveRequests() {
    DrainRequestController requests = new DrainRequestController(this, context, options.serves());
    services.add(requests::close);
    requests.start();
  }

  /**
   * Has an operator of the cluster drain a node, by a DrainRequest with that name; one that is
   * there already is changed to ask for the same.
   */
  public DrainRequestClient request(
      String namespace, String name, DrainRequestSpec spec, DrainListener listener) {
    return DrainRequestClient.start(
        context.kube(), new DrainRequestClient.Asked(namespace, name, spec), listener);
  }

  /**
   * Starts the controller that removes expired, void and orphaned holds, until the engine is
   * closed.
   *
   * @param owners kinds of objects that hold nodes
   */
  public void keepHolds(List<HoldOwner> owners) {
    HoldController controller =
        new HoldController(context.kube(), context.holds(), context.everyNode(), owners);
    services.add(controller::close);
    controller.start();
  }

  public DrainPlanReader plans() {
    return new DrainPlanReader(context);
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

  /** The andon cord in this namespace; every process with the same namespace obeys it. */
  public AndonCord cord(String namespace) {
    return new AndonCord(context.kube(), namespace);
  }

  /**
   * Stops and resumes as the cord says, until the engine is closed.
   *
   * @param changed runs after that
   */
  public void obeyCord(String namespace, Runnable changed) {
    stop("the andon cord has not been read yet");
    services.add(
        cord(namespace)
            .watch(
                pulled -> {
                  pulled.ifPresentOrElse(this::stop, this::resume);
                  changed.run();
                }));
  }

  /** How many requests its process made so far, by verb. */
  public Map<Verb, Long> requests() {
    return context.http().requests();
  }

  /** Ends all runs where they are, without a further request; they can be continued. */
  @Override
  public void close() {
    services.forEach(Runnable::run);
    context.close();
  }
}

package dev.drydock.drain.kube;

import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.decide.Holds;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The drain engine: drains any number of nodes at once. Runs share connections, the concurrency
 * limit, the turn at each budget, the budgets' watches and what was looked up. Safe for use by many
 * threads. The client stays the caller's; whoever else makes many requests should use another one,
 * because the server limits how many may be under way on a connection.
 */
public final class DrainEngine implements AutoCloseable {
  private final EngineContext context;
  private final boolean ownsConnection;
  private final Set<Runnable> services = ConcurrentHashMap.newKeySet();

  /**
   * How an engine works.
   *
   * @param ceiling the most changes under way at the server at a time
   * @param pageSize the most objects in an answer to a list; 0 for all at once
   * @param answerWithin a request without an answer until then is made again
   * @param evictionLabels on all Evictions, for admission policies to know them by
   */
  public record Options(
      Clock clock,
      RequestInterceptor hook,
      int ceiling,
      int pageSize,
      Duration answerWithin,
      Map<String, String> evictionLabels) {
    public static final Options DEFAULT =
        new Options(
            Clock.systemUTC(), RequestInterceptor.NONE, 60, 500, KubeHttp.ANSWER_WITHIN, Map.of());

    public Options {
      evictionLabels = Map.copyOf(evictionLabels);
    }

    public Options withHook(RequestInterceptor newHook) {
      return new Options(clock, newHook, ceiling, pageSize, answerWithin, evictionLabels);
    }

    public Options withClock(Clock newClock) {
      return new Options(newClock, hook, ceiling, pageSize, answerWithin, evictionLabels);
    }

    public Options withPageSize(int newPageSize) {
      return new Options(clock, hook, ceiling, newPageSize, answerWithin, evictionLabels);
    }

    public Options withAnswerWithin(Duration time) {
      return new Options(clock, hook, ceiling, pageSize, time, evictionLabels);
    }

    public Options withEvictionLabels(Map<String, String> labels) {
      return new Options(clock, hook, ceiling, pageSize, answerWithin, labels);
    }
  }

  public DrainEngine(KubernetesClient client) {
    this(client, Options.DEFAULT);
  }

  public DrainEngine(KubernetesClient client, Options options) {
    context = new EngineContext(http(client, options), options);
    ownsConnection = true;
  }

  /** With the connection and the time of a process, which stay the caller's. */
  public DrainEngine(Kube kube, Options options) {
    context = new EngineContext(kube.http(), options.withClock(kube.clock()));
    ownsConnection = false;
  }

  private static KubeHttp http(KubernetesClient client, Options options) {
    return new KubeHttp(client, options.hook(), options.pageSize(), options.answerWithin());
  }

  /** Holds the node for the task's holder and drains it; returns at once. */
  public DrainRun start(DrainTask task, DrainListener listener) {
    DrainRun run = new DrainRun(task, listener, context);
    context.runs.add(run);
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
    DrainPreflight.Found found =
        new DrainPreflight(context.http(), context.holds(), context.backoff()).of(nodes);
    context.sharedWatches = found.watches();
    return found.holds();
  }

  public NodeHolds holds() {
    return context.holds();
  }

  /**
   * Starts to serve DrainRequests, until the engine is closed. One process of a cluster should at a
   * time.
   */
  public void serveRequests() {
    DrainRequestController requests = new DrainRequestController(this, context);
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
        context, new DrainRequestClient.Asked(namespace, name, spec), listener);
  }

  /** Starts to look after holds that nobody else ends, until the engine is closed. */
  public void keepHolds() {
    HoldController controller = new HoldController(context);
    services.add(controller::close);
    controller.start();
  }

  public DrainPlanReader plans() {
    return new DrainPlanReader(context);
  }

  /** No run starts anything new until {@link #resume}; what is terminating goes on. */
  public void stop(String reason) {
    context.andon = Optional.of(reason);
    context.runs.forEach(DrainRun::wake);
  }

  public void resume() {
    context.andon = Optional.empty();
    context.runs.forEach(DrainRun::wake);
  }

  /** Why nothing new may begin, if so. */
  public Optional<String> stopped() {
    return context.andon();
  }

  /** The cord of a cluster that everybody obeys who is told the same namespace. */
  public AndonCord cord(String namespace) {
    return new AndonCord(context.http(), namespace, context.clock());
  }

  /**
   * Stops and resumes as the cord says, until the engine is closed.
   *
   * @param changed told after that
   */
  public void obeyCord(String namespace, Runnable changed) {
    stop("the andon cord was not seen yet");
    services.add(
        cord(namespace)
            .watch(
                pulled -> {
                  pulled.ifPresentOrElse(this::stop, this::resume);
                  changed.run();
                }));
  }

  /** How many requests were made so far, by verb. */
  public Map<Verb, Long> requests() {
    return context.http().requests();
  }

  /** Ends all runs where they are, without a further request; they can be continued. */
  @Override
  public void close() {
    services.forEach(Runnable::run);
    context.runs.forEach(DrainRun::kill);
    if (ownsConnection) {
      context.http().close();
    }
    context.threads().shutdownNow();
  }

  /** What all runs of an engine use. */
  static final class EngineContext {
    private final KubeHttp http;
    private final Clock clock;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final NodeHolds holds;
    private final DrainEvents events;
    private final DrainConditions conditions;
    private final PodActions actions;
    private final BudgetWatches budgets;
    private final OwnerLookups owners;
    private final BudgetLocks budgetLocks = new BudgetLocks();
    private final Set<DrainRun> runs = ConcurrentHashMap.newKeySet();
    private volatile Optional<String> andon = Optional.empty();
    private volatile Optional<SharedNodeWatches> sharedWatches = Optional.empty();

    EngineContext(KubeHttp http, Options options) {
      this.http = http;
      this.clock = options.clock();
      holds = new NodeHolds(http, clock);
      events = new DrainEvents(http, clock);
      conditions = new DrainConditions(http, clock);
      actions =
          new PodActions(
              http, new AdaptiveConcurrency(options.ceiling(), clock), options.evictionLabels());
      budgets = new BudgetWatches(http, backoff());
      owners = new OwnerLookups(http, threads, clock);
    }

    KubeHttp http() {
      return http;
    }

    Clock clock() {
      return clock;
    }

    ExecutorService threads() {
      return threads;
    }

    NodeHolds holds() {
      return holds;
    }

    DrainEvents events() {
      return events;
    }

    DrainConditions conditions() {
      return conditions;
    }

    PodActions actions() {
      return actions;
    }

    BudgetWatches budgets() {
      return budgets;
    }

    NodeWatches watches(String node, Runnable wake) {
      return sharedWatches
          .flatMap(watches -> watches.of(node, wake))
          .orElseGet(() -> NodeWatches.alone(node, http, backoff(), wake));
    }

    OwnerLookups owners() {
      return owners;
    }

    BudgetLocks budgetLocks() {
      return budgetLocks;
    }

    Optional<String> andon() {
      return andon;
    }

    Backoff backoff() {
      return Backoff.USUAL;
    }

    void ended(DrainRun run) {
      runs.remove(run);
    }
  }
}

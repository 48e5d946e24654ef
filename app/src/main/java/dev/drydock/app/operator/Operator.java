package dev.drydock.app.operator;

import dev.drydock.drain.stop.StopAcknowledgement;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.drain.stop.UnelectedLease;
import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Settings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The features of an operator process. The process that holds the Lease leads. Closing it releases
 * the Lease, so that another replica takes over at once.
 */
public final class Operator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Operator.class);

  static final String LEASE = StopWitnesses.OPERATOR_LEASE;

  private final OperatorContext context;
  private final PrometheusMeterRegistry meters;
  private final List<OperatorPart> parts;
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<AutoCloseable> running = new ArrayList<>();
  private @Nullable Election election;
  private @Nullable UnelectedLease unelected;
  private volatile boolean leading;
  private volatile LeaderTerm term = new LeaderTerm();
  private boolean closed;

  /**
   * What an operator process is made of.
   *
   * @param namespace where the Lease is
   * @param identity of this process among those that want the Lease
   */
  record Setup(
      KubernetesClient client,
      RequestInterceptor interceptor,
      String namespace,
      String identity,
      Settings settings,
      Features features) {}

  Operator(Setup setup) {
    this(
        setup,
        new Kube(
            new KubeHttp(setup.client(), setup.interceptor(), KubeHttp.PAGE_SIZE),
            TimeSource.REAL));
  }

  Operator(Setup setup, Kube kube) {
    meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    context =
        new OperatorContext(
            kube,
            setup.client(),
            setup.namespace(),
            setup.identity(),
            setup.settings(),
            meters,
            setup.features().holdOwners(),
            () -> leading);
    parts = setup.features().all().stream().map(feature -> feature.operator(context)).toList();
  }

  /**
   * With all features and the default settings; metrics, health and admission are not served.
   *
   * @param interceptor sees every request
   */
  public static Operator defaults(
      KubernetesClient client, String namespace, String identity, RequestInterceptor interceptor) {
    Features all = Features.load().byDefault();
    return new Operator(
        new Setup(client, interceptor, namespace, identity, ConfigReader.defaults(all), all));
  }

  OperatorContext context() {
    return context;
  }

  PrometheusMeterRegistry meters() {
    return meters;
  }

  List<OperatorPart> parts() {
    return parts;
  }

  boolean isLeading() {
    return leading;
  }

  /** Runs the controllers without the Lease. */
  public synchronized void lead() {
    if (closed || leading) {
      return;
    }
    LOG.info("leading: running all controllers");
    leading = true;
    LeaderTerm begun = new LeaderTerm();
    term = begun;
    for (OperatorPart part : parts) {
      running.add(part.lead(begun));
    }
  }

  /** The engine first, even while a part still begins: from now on another process may drain. */
  private void follow() {
    term.close();
    synchronized (this) {
      if (leading) {
        LOG.info("no longer leading: controllers stopped");
        leading = false;
        running.reversed().forEach(Operator::end);
        running.clear();
      }
    }
  }

  private static void end(AutoCloseable part) {
    LeaderTerm.close(part.getClass(), part);
  }

  /** Leads whether others do or not; returns when closed. Its own Lease lets a stop find it. */
  void leadUnelected() {
    UnelectedLease own;
    synchronized (this) {
      if (closed) {
        return;
      }
      own = new UnelectedLease(context.kube(), context.namespace(), context.identity());
      unelected = own;
    }
    lead();
    own.start();
    awaitClose();
  }

  /** Leads whenever it holds the Lease; returns when closed. */
  void leadWhenElected() {
    Duration free = context.settings().get(CoreSettings.LEADER_ELECT_LEASE_DURATION);
    Duration renewEvery = free.multipliedBy(2).dividedBy(15); // 2 s of 15 s, as Kubernetes does
    Election mine;
    synchronized (this) {
      if (closed) {
        return;
      }
      mine =
          new Election(
              context.kube(),
              new Election.LeaseSettings(
                  context.namespace(), LEASE, context.identity(), free, renewEvery),
              this::lead,
              this::follow);
      election = mine;
    }
    mine.start();
    try (StopAcknowledgement _ =
        new StopAcknowledgement(context.kube(), context.namespace(), mine)) {
      awaitClose();
    }
  }

  void awaitClose() {
    try {
      end.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives up leadership; the services of every replica keep running until they are closed. */
  void stepDown() {
    Election current;
    UnelectedLease own;
    synchronized (this) {
      closed = true;
      current = election;
      own = unelected;
      unelected = null;
    }
    follow();
    if (current != null) {
      current.close();
    }
    if (own != null) {
      own.close();
    }
    end.countDown();
  }

  @Override
  public void close() {
    stepDown();
    parts.forEach(Operator::end);
    context.kube().close();
  }
}

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
import java.util.ArrayList;
import java.util.List;
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
  private final String names;
  private final List<OperatorPart> parts;
  private final List<AutoCloseable> running = new ArrayList<>();

  /** By which it leads; written and closed by the thread that runs the process. */
  private final List<AutoCloseable> leases = new ArrayList<>();

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
    this(setup, kube, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
  }

  Operator(Setup setup, Kube kube, PrometheusMeterRegistry meters) {
    this.meters = meters;
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
    names = String.join(", ", setup.features().parts());
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

  /**
   * With these features and the default settings, on a connection of the caller's; metrics, health
   * and admission are not served.
   */
  public static Operator on(
      Kube kube, KubernetesClient client, String namespace, Features features) {
    Operator made =
        new Operator(
            new Setup(
                client,
                RequestInterceptor.NONE,
                namespace,
                "operator",
                ConfigReader.defaults(features),
                features),
            kube);
    made.parts().forEach(OperatorPart::start);
    return made;
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
    LOG.info("leading: running parts {}", names);
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

  /** Leads whenever it holds the Lease, or from now on where there is no election. */
  void elect() {
    if (context.settings().get(CoreSettings.LEADER_ELECT)) {
      leadWhenElected();
    } else {
      leadUnelected();
    }
  }

  /** Leads whether others do or not. Its own Lease lets a stop find it. */
  private void leadUnelected() {
    UnelectedLease own =
        new UnelectedLease(context.kube(), context.namespace(), context.identity());
    leases.add(own);
    lead();
    own.start();
  }

  private void leadWhenElected() {
    Election mine =
        new Election(
            context.kube(),
            Election.LeaseSettings.ofController(
                context.namespace(),
                context.settings().get(CoreSettings.LEADER_ELECT_LEASE),
                context.identity(),
                context.settings().get(CoreSettings.LEADER_ELECT_LEASE_DURATION)),
            this::lead,
            this::follow);
    leases.add(mine);
    mine.start();
    leases.add(new StopAcknowledgement(context.kube(), context.namespace(), mine));
  }

  /** Gives up leadership; the services of every replica keep running until they are closed. */
  void stepDown() {
    synchronized (this) {
      closed = true;
    }
    follow();
    leases.forEach(Operator::end);
    leases.clear();
  }

  @Override
  public void close() {
    stepDown();
    parts.forEach(Operator::end);
    context.kube().close();
  }
}

package dev.drydock.kube;

import dev.drydock.kube.time.TimeSource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;

/**
 * What one process uses to work with one cluster: connection, watches, control loops, time and
 * health. Created once and shared.
 */
public final class Kube implements AutoCloseable {
  private static final String RESYNC = "resync";

  private final KubeHttp http;
  private final LoopFactory loops;
  private final Watches watches;
  private final EventRecorder events;

  /** Closing this closes the connection. */
  public Kube(KubeHttp http, TimeSource time) {
    this.http = http;
    loops = new LoopFactory(time);
    watches = new Watches(this);
    events = new EventRecorder(http, time.clock());
  }

  /** For a command, which ends with its connection; the client stays the caller's. */
  public static Kube of(KubernetesClient client) {
    return of(client, KubeHttp.PAGE_SIZE);
  }

  /**
   * For a command.
   *
   * @param pageSize the maximum number of objects per page of a list; 0 for all in one answer
   */
  public static Kube of(KubernetesClient client, int pageSize) {
    return new Kube(new KubeHttp(client, RequestInterceptor.NONE, pageSize), TimeSource.REAL);
  }

  /** For a small program, which loads nothing of the client library but its connections. */
  public static Kube of(Config config, HttpClient http) {
    return new Kube(
        new KubeHttp(
            new HttpTransport(config, http, TimeSource.REAL),
            RequestInterceptor.NONE,
            KubeHttp.PAGE_SIZE,
            KubeHttp.ANSWER_WITHIN),
        TimeSource.REAL);
  }

  public KubeHttp http() {
    return http;
  }

  public TimeSource time() {
    return loops.time();
  }

  public Clock clock() {
    return loops.time().clock();
  }

  public Health health() {
    return loops.health();
  }

  public Watches watches() {
    return watches;
  }

  public EventRecorder events() {
    return events;
  }

  /** A loop that starts when it is first woken. */
  public ControlLoop loop(String name, ControlLoop.Step step) {
    return loop(name, "", step);
  }

  /**
   * One of several loops of a kind.
   *
   * @param subject the object that this one is about, for people
   */
  public ControlLoop loop(String name, String subject, ControlLoop.Step step) {
    return loop(name, subject, ControlLoop.Debounce.NONE, step);
  }

  public ControlLoop loop(
      String name, String subject, ControlLoop.Debounce debounce, ControlLoop.Step step) {
    return loops.loop(name, subject, debounce, step);
  }

  /** One loop per key, created when the key is first woken. */
  public <K> ControlLoops<K> loops(String name, Function<K, ControlLoops.Reconciler> factory) {
    return loops.loops(name, factory);
  }

  /** For loops of this name whose step serves several objects in turn. */
  public StepObjects stepObjects(String name) {
    return new StepObjects(time(), health().loop(name), Backoff.DEFAULT);
  }

  /** Wakes all other loops of this process every period, until closed. */
  public ControlLoop resync(Duration period) {
    ControlLoop resync =
        loop(
            RESYNC,
            () -> {
              health().loops().stream()
                  .filter(each -> !each.name().equals(RESYNC))
                  .forEach(LoopHealth::resync);
              return time().now().plus(period);
            });
    resync.wake();
    return resync;
  }

  @Override
  public void close() {
    watches.close();
    http.close();
  }
}

package dev.drydock.sim;

import dev.drydock.kube.time.RunningTime;
import dev.drydock.kube.time.Timers;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.sim.call.HttpFront;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/**
 * An API server in this process, with the few controllers that clients rely on. Any Kubernetes
 * client can use it over HTTP; it answers 501 to requests that it does not support.
 */
public final class SimulatedApiServer implements AutoCloseable {
  /** Settings of a simulation. The same seed gives the same names and UIDs. */
  public record Options(Clock clock, long seed, int history, CallInterceptor hook) {
    private static final int DEFAULT_HISTORY = 10_000;

    public static Options defaults() {
      return new Options(Clock.systemUTC(), 1, DEFAULT_HISTORY, CallInterceptor.NONE);
    }

    public Options withClock(Clock other) {
      return new Options(other, seed, history, hook);
    }

    public Options withHook(CallInterceptor other) {
      return new Options(clock, seed, history, other);
    }
  }

  private final ApiServerParts parts;
  private final RunningTime time;
  private final HttpFront front;

  private SimulatedApiServer(Options options) throws IOException {
    Timers timers = new Timers(options.clock());
    parts = new ApiServerParts(options, timers);
    front = new HttpFront(parts.calls());
    time = RunningTime.start(timers);
  }

  public static SimulatedApiServer start(Options options) throws IOException {
    return new SimulatedApiServer(options);
  }

  public URI uri() {
    return front.uri();
  }

  /** Call this after moving a clock, so that due actions run at once. */
  public void timePassed() {
    parts.controllers().timePassed();
  }

  /** Drops the event history: older watches end with 410. */
  public void compact() {
    parts.store().compact();
  }

  public String kubeconfig() {
    return kubeconfig(uri());
  }

  static String kubeconfig(URI server) {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: sim
          cluster:
            server: %s
        users:
        - name: admin
          user: {}
        contexts:
        - name: sim
          context:
            cluster: sim
            user: admin
        current-context: sim
        """
        .formatted(server);
  }

  public Path writeKubeconfig(Path file) throws IOException {
    return Files.writeString(file, kubeconfig());
  }

  @Override
  public void close() {
    time.close();
    parts.store().close();
    front.close();
  }
}

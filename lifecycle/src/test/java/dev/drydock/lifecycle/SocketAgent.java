package dev.drydock.lifecycle;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;

/** An agent as it is in production, with sockets and a Lease. */
final class SocketAgent implements TestAgent {
  private final TestProcess process;
  private final LifecycleAgent agent;
  private boolean closed;

  SocketAgent(TestProcess process, LifecycleAgentSettings settings) {
    this.process = process;
    try {
      agent = LifecycleAgent.start(process.kube(), settings, Claimer.Outcomes.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The requests of such an agent. */
  static RequestInterceptor requests(
      LifecycleAgentSettings settings, RequestInterceptor interceptor) {
    return new RateLimiter(settings.qps(), settings.burst(), new ExceptLeases(interceptor));
  }

  /**
   * Also a process that dies gives its Lease back: otherwise each successor would wait until it
   * expires. Renewals, which come at any time, are not among the requests that count.
   */
  private record ExceptLeases(RequestInterceptor interceptor) implements RequestInterceptor {
    private static boolean isLease(ApiCall call) {
      return call.path().contains("/leases");
    }

    @Override
    public void before(ApiCall call) {
      if (!isLease(call)) {
        interceptor.before(call);
      }
    }

    @Override
    public void after(ApiCall call, int code) {
      if (!isLease(call)) {
        interceptor.after(call, code);
      }
    }
  }

  @Override
  public Kube kube() {
    return process.kube();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    agent.close();
    process.close();
  }
}

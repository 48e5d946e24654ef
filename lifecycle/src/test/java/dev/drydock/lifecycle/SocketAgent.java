package dev.drydock.lifecycle;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.claim.Claimer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;

/** An agent as it is in production, with sockets and a Lease. */
final class SocketAgent implements TestAgent {
  private final KubernetesClient client;
  private final Kube kube;
  private final Agent agent;
  private boolean closed;

  SocketAgent(Config config, AgentSettings settings, RequestInterceptor hook, TimeSource time) {
    client = new KubernetesClientBuilder().withConfig(config).build();
    kube =
        new Kube(
            new KubeHttp(
                client,
                new RateLimiter(settings.qps(), settings.burst(), new ExceptLeases(hook)),
                KubeHttp.PAGE_SIZE),
            time);
    try {
      agent = Agent.start(kube, settings, Claimer.Outcomes.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Also a process that dies gives its Lease back: otherwise each successor would wait until it
   * expires. Renewals, which come at any time, are not among the requests that count.
   */
  private record ExceptLeases(RequestInterceptor hook) implements RequestInterceptor {
    private static boolean isLease(ApiCall call) {
      return call.path().contains("/leases");
    }

    @Override
    public void before(ApiCall call) {
      if (!isLease(call)) {
        hook.before(call);
      }
    }

    @Override
    public void after(ApiCall call, int code) {
      if (!isLease(call)) {
        hook.after(call, code);
      }
    }
  }

  @Override
  public Kube kube() {
    return kube;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    agent.close();
    kube.close();
    client.close();
  }
}

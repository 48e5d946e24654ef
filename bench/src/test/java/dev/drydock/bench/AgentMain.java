package dev.drydock.bench;

import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.LifecycleAgent;
import dev.drydock.lifecycle.LifecycleAgentSettings;
import dev.drydock.lifecycle.LifecycleAgentSettings.Claims;
import dev.drydock.lifecycle.claim.Claimer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * An agent without the command line, which is not on this module's class path. Arguments: the
 * fields of a {@link Peer.Berth}. Runs until it is terminated.
 */
final class AgentMain {
  private AgentMain() {}

  public static void main(String[] words) throws IOException, InterruptedException {
    Peer.AgentNode agentNode =
        new Peer.AgentNode(words[0], words[1], Path.of(words[2]), Boolean.parseBoolean(words[3]));
    try (KubernetesClient client =
            new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(new File(System.getenv("KUBECONFIG"))))
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
        Kube kube = kube(client, settings(agentNode));
        LifecycleAgent _ = LifecycleAgent.start(kube, settings(agentNode), Claimer.Outcomes.NONE)) {
      Thread.currentThread().join();
    }
  }

  private static Kube kube(KubernetesClient client, LifecycleAgentSettings settings) {
    return new Kube(
        new KubeHttp(
            client,
            new RateLimiter(settings.qps(), settings.burst(), RequestInterceptor.NONE),
            KubeHttp.PAGE_SIZE),
        TimeSource.REAL);
  }

  private static LifecycleAgentSettings settings(Peer.AgentNode agentNode) {
    LifecycleAgentSettings usual =
        LifecycleAgentSettings.defaults(
            agentNode.node(),
            agentNode.namespace(),
            agentNode.plugins(),
            agentNode.registrations());
    return new LifecycleAgentSettings(
        usual.node(),
        usual.cordNamespace(),
        usual.identity(),
        usual.driverNames(),
        usual.place(),
        usual.sla(),
        usual.evictionTimeout(),
        usual.gracePeriodSeconds(),
        usual.qps(),
        usual.burst(),
        usual.atSla(),
        usual.uncordonWhenCancelled(),
        agentNode.claims() ? Claims.AUTO : Claims.NEVER);
  }
}

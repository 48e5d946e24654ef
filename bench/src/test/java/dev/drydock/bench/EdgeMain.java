package dev.drydock.bench;

import dev.drydock.edge.command.EdgeAgentOptions;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import picocli.CommandLine;

/**
 * An agent at the edge without the command line, which is not on this module's class path.
 * Arguments: the node and flags. Runs until it is terminated.
 */
final class EdgeMain {
  private EdgeMain() {}

  public static void main(String[] words) throws IOException, InterruptedException {
    EdgeAgentOptions options = new EdgeAgentOptions();
    var _ =
        new CommandLine(options)
            .registerConverter(Duration.class, text -> Duration.parse("PT" + text))
            .parseArgs(Arrays.copyOfRange(words, 1, words.length));
    try (KubernetesClient client = BenchCluster.connect(Path.of(System.getenv("KUBECONFIG")));
        Kube kube =
            new Kube(
                new KubeHttp(client, RequestInterceptor.NONE, KubeHttp.PAGE_SIZE),
                TimeSource.REAL);
        AgentRole.Running _ =
            options.start(
                new AgentContext(
                    kube, client, words[0], "default", "bench", new SimpleMeterRegistry()))) {
      Thread.currentThread().join();
    }
  }
}

package dev.drydock.cli;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Utils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster named by kubeconfig rules. Opening it contacts nobody. {@code namespaceFlag} is what
 * the user asked for; the client itself falls back to the context's namespace.
 */
public record KubeConnection(
    KubernetesClient client, @Nullable String namespaceFlag, Optional<String> context)
    implements AutoCloseable {
  /**
   * A person waits: a passing fault is tried over within a second, a server that is not there is
   * told at once (the client library's own ten retries take twenty seconds).
   */
  private static final int RETRIES = 3;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  static KubeConnection open(
      @Nullable String kubeconfig, @Nullable String context, @Nullable String namespace) {
    Config config = config(kubeconfig, context);
    config.setConnectionTimeout((int) CONNECT_TIMEOUT.toMillis());
    config.setRequestRetryBackoffLimit(RETRIES);
    return open(config, namespace);
  }

  /** For questions whose answer is only wanted if it comes at once. */
  static KubeConnection openFor(
      Duration patience, @Nullable String kubeconfig, @Nullable String context) {
    Config config = config(kubeconfig, context);
    config.setConnectionTimeout((int) patience.toMillis());
    config.setRequestTimeout((int) patience.toMillis());
    config.setRequestRetryBackoffLimit(0);
    return open(config, null);
  }

  private static Config config(@Nullable String kubeconfig, @Nullable String context) {
    return kubeconfig == null ? discovered(context) : fromFile(Path.of(kubeconfig), context);
  }

  private static KubeConnection open(Config config, @Nullable String namespace) {
    if (namespace != null) {
      config.setNamespace(namespace);
    } else if (config.getNamespace() == null) {
      config.setNamespace("default");
    }
    Optional<String> used =
        Optional.ofNullable(config.getCurrentContext()).map(NamedContext::getName);
    try {
      return new KubeConnection(
          new KubernetesClientBuilder().withConfig(config).build(), namespace, used);
    } catch (KubernetesClientException e) {
      // raised while certificates and keys are loaded
      throw new CommandFailure("kubeconfig: cannot use its credentials: " + firstLine(e), e);
    }
  }

  /** Who the server is to us, for messages. */
  public String server() {
    return client.getMasterUrl().toString();
  }

  @Override
  public void close() {
    client.close();
  }

  private static Config fromFile(Path file, @Nullable String context) {
    KubeconfigCheck.check(List.of(file), context);
    return Config.fromKubeconfig(context, file.toFile());
  }

  private static Config discovered(@Nullable String context) {
    List<Path> named = Config.getKubeconfigFilenames().stream().map(Path::of).toList();
    List<Path> files = named.stream().filter(Files::exists).toList();
    if (!files.isEmpty()) {
      KubeconfigCheck.check(files, context);
    } else if (isSet(Config.KUBERNETES_KUBECONFIG_FILE)) {
      throw new CommandFailure("kubeconfig " + KubeconfigCheck.list(named) + ": no such file");
    } else if (!isSet(Config.KUBERNETES_SERVICE_HOST_PROPERTY)) {
      throw noCluster();
    }
    return Config.autoConfigure(context);
  }

  /** Asked as the client library asks, so that both see the same. */
  private static boolean isSet(String variable) {
    return Utils.getSystemPropertyOrEnvVar(variable) != null;
  }

  private static CommandFailure noCluster() {
    return new CommandFailure(
        "no cluster: there is no kubeconfig; pass --kubeconfig FILE or set KUBECONFIG"
            + " (a cluster to try things on: drydock cluster up)");
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}

package dev.drydock.cli;

import dev.drydock.contracts.FirstLine;
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
 * A cluster selected by the kubeconfig rules. Opening it sends no request. {@code namespaceFlag} is
 * the namespace flag's value; without it the client uses the context's namespace.
 */
public record KubeConnection(
    KubernetesClient client, @Nullable String namespaceFlag, Optional<String> context)
    implements AutoCloseable {
  /**
   * Keeps interactive commands responsive: a transient failure is retried for at most a second, and
   * an unreachable server is reported at once (the client library's ten retries take twenty
   * seconds).
   */
  private static final int RETRIES = 3;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  static KubeConnection open(
      @Nullable String kubeconfig, @Nullable String context, @Nullable String namespace) {
    return open(interactive(kubeconfig, context), namespace);
  }

  /** The same without the library's client. */
  static ApiConnection openHttp(
      @Nullable String kubeconfig, @Nullable String context, @Nullable String namespace) {
    return ApiConnection.open(in(namespace, interactive(kubeconfig, context)));
  }

  private static Config interactive(@Nullable String kubeconfig, @Nullable String context) {
    Config config = config(kubeconfig, context);
    config.setConnectionTimeout((int) CONNECT_TIMEOUT.toMillis());
    config.setRequestRetryBackoffLimit(RETRIES);
    return config;
  }

  /** For requests whose answer is only useful if it arrives immediately. */
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
    Optional<String> used =
        Optional.ofNullable(config.getCurrentContext()).map(NamedContext::getName);
    try {
      return new KubeConnection(
          new KubernetesClientBuilder().withConfig(in(namespace, config)).build(), namespace, used);
    } catch (KubernetesClientException e) {
      throw unusable(e);
    }
  }

  private static Config in(@Nullable String namespace, Config config) {
    if (namespace != null) {
      config.setNamespace(namespace);
    } else if (config.getNamespace() == null) {
      config.setNamespace("default");
    }
    return config;
  }

  /** For what is thrown while certificates and keys are loaded. */
  static CommandFailure unusable(KubernetesClientException e) {
    return new CommandFailure("kubeconfig: its credentials cannot be used: " + FirstLine.of(e), e);
  }

  /** The server's address, for messages. */
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

  /** Uses the client library's own check, so that both agree. */
  private static boolean isSet(String variable) {
    return Utils.getSystemPropertyOrEnvVar(variable) != null;
  }

  private static CommandFailure noCluster() {
    return new CommandFailure(
        "no cluster: no kubeconfig found; pass --kubeconfig FILE or set KUBECONFIG"
            + " (to start a test cluster: drydock cluster up)");
  }
}

package dev.drydock.cli;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;

/**
 * A cluster selected by the kubeconfig rules, as {@link KubeConnection}, but without the library's
 * client: that loads a class for every kind of object that it knows, and a small program needs none
 * of them. Opening it sends no request.
 */
public record ApiConnection(Config config, HttpClient http) implements AutoCloseable {
  static ApiConnection open(Config config) {
    try {
      return new ApiConnection(config, new DirectTls().newBuilder(config).build());
    } catch (KubernetesClientException e) {
      throw KubeConnection.unusable(e);
    }
  }

  /** The one to work in. */
  public String namespace() {
    return config.getNamespace();
  }

  @Override
  public void close() {
    http.close();
  }
}

package dev.drydock.testbed;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the kubelet gives a container to reach the cluster by, for programs that run with the files
 * of an image but not in a container.
 */
public final class ServiceAccountMount {
  private static final String FOLDER = "var/run/secrets/kubernetes.io/serviceaccount";

  private ServiceAccountMount() {}

  /**
   * Writes token and CA below a root, and returns the variables.
   *
   * @param account that exists in the namespace
   */
  public static Map<String, String> write(
      ControlPlane cluster, Path root, String namespace, String account) throws IOException {
    Path folder = Files.createDirectories(root.resolve(FOLDER));
    Files.writeString(
        folder.resolve("token"),
        cluster.kubectl("create", "token", "-n", namespace, account).output().strip());
    Files.writeString(folder.resolve("namespace"), namespace);
    Files.writeString(
        folder.resolve("ca.crt"),
        cluster
            .kubectl(
                "get",
                "configmap",
                "-n",
                namespace,
                "kube-root-ca.crt",
                "-o",
                "jsonpath={.data.ca\\.crt}")
            .output());
    URI server = URI.create(cluster.server());
    return Map.of(
        "KUBERNETES_SERVICE_HOST",
        server.getHost(),
        "KUBERNETES_SERVICE_PORT",
        Integer.toString(server.getPort()));
  }
}

package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.Kube;
import io.fabric8.kubernetes.client.KubernetesClient;
import picocli.CommandLine.Option;

/** How lists are read from the server. */
final class ListOption {
  @Option(
      names = "--chunk-size",
      paramLabel = "N",
      defaultValue = "500",
      description = "The page size for large lists; 0 reads all objects at once. Default: 500.")
  private int chunkSize;

  Kube open(KubernetesClient client) {
    return Kube.of(client, chunkSize);
  }

  void check() {
    if (chunkSize < 0) {
      throw CommandFailure.usage(
          "--chunk-size " + chunkSize + ": use 1 or more, or 0 for no limit");
    }
  }
}

package dev.drydock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Kubeconfig files for tests. */
final class Kubeconfigs {
  private Kubeconfigs() {}

  /** One context per name, the first one current; each server has its context's name. */
  static Path write(Path file, String... names) throws IOException {
    StringBuilder text = new StringBuilder("apiVersion: v1\nkind: Config\n");
    text.append("current-context: ").append(names[0]).append('\n');
    text.append("contexts:\n");
    for (String name : names) {
      text.append("- {name: %s, context: {cluster: %s, user: me}}\n".formatted(name, name));
    }
    text.append("clusters:\n");
    for (String name : names) {
      text.append(
          "- {name: %s, cluster: {server: 'https://%s.invalid:6443'}}\n".formatted(name, name));
    }
    return Files.writeString(file, text + "users:\n- {name: me, user: {token: secret}}\n");
  }

  /** One context, for a server on this machine. */
  static Path forServer(Path file, String url) throws IOException {
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: here
        contexts:
        - {name: here, context: {cluster: here, user: me}}
        clusters:
        - {name: here, cluster: {server: '%s'}}
        users:
        - {name: me, user: {token: secret}}
        """
            .formatted(url));
  }
}

package dev.drydock.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
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

  static KubeConnection open(
      @Nullable String kubeconfig, @Nullable String context, @Nullable String namespace) {
    Config config =
        kubeconfig == null ? discovered(context) : fromFile(Path.of(kubeconfig), context);
    if (config.getMasterUrl() == null || config.getMasterUrl().isBlank()) {
      throw noCluster();
    }
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
    JsonNode content = read(file);
    requireContext(List.of(content), context, file.toString());
    return Config.fromKubeconfig(context, file.toFile());
  }

  private static Config discovered(@Nullable String context) {
    Collection<String> names = Config.getKubeconfigFilenames();
    List<Path> files = names.stream().map(Path::of).filter(Files::exists).toList();
    if (files.isEmpty()) {
      if (System.getenv("KUBECONFIG") != null) {
        throw new CommandFailure(
            "kubeconfig: no such file: " + String.join(File.pathSeparator, names));
      }
      if (System.getenv("KUBERNETES_SERVICE_HOST") == null) {
        throw noCluster();
      }
    } else {
      requireContext(
          files.stream().map(KubeConnection::read).toList(), context, String.join(", ", names));
    }
    return Config.autoConfigure(context);
  }

  private static CommandFailure noCluster() {
    return new CommandFailure(
        "no cluster: there is no kubeconfig; pass --kubeconfig FILE or set KUBECONFIG"
            + " (a cluster to try things on: drydock cluster up)");
  }

  /**
   * Read here before the client reads it, because a client library forgives what a user must hear
   * about.
   */
  private static JsonNode read(Path file) {
    try {
      JsonNode content = new YAMLMapper().readTree(file.toFile());
      if (!content.isObject() || !"Config".equals(content.path("kind").asText())) {
        throw new CommandFailure(
            "kubeconfig " + file + ": not a kubeconfig (kind: Config expected)");
      }
      return content;
    } catch (JsonProcessingException e) {
      throw new CommandFailure(
          "kubeconfig %s: not valid YAML at line %d: %s"
              .formatted(
                  file,
                  e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                  e.getOriginalMessage().lines().findFirst().orElse("")),
          e);
    } catch (IOException e) {
      throw new CommandFailure("kubeconfig " + file + ": " + reason(file, e), e);
    }
  }

  private static String reason(Path file, IOException e) {
    if (Files.notExists(file)) {
      return "no such file";
    }
    return Files.isReadable(file) ? String.valueOf(e.getMessage()) : "permission denied";
  }

  private static void requireContext(List<JsonNode> files, @Nullable String asked, String where) {
    String wanted =
        asked != null
            ? asked
            : files.stream()
                .map(file -> file.path("current-context").asText(""))
                .filter(c -> !c.isEmpty())
                .findFirst()
                .orElse("");
    List<String> known =
        files.stream()
            .flatMap(file -> file.path("contexts").valueStream())
            .map(c -> c.path("name").asText())
            .toList();
    if (wanted.isEmpty()) {
      throw new CommandFailure(
          "kubeconfig "
              + where
              + ": no current context; pass --context, one of: "
              + String.join(", ", known));
    }
    if (!known.contains(wanted)) {
      throw new CommandFailure(
          "kubeconfig %s: context \"%s\" does not exist; it has: %s"
              .formatted(where, wanted, known.isEmpty() ? "none" : String.join(", ", known)));
    }
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}

package dev.drydock.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.FirstLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Validates kubeconfig files before the client library reads them: the library ignores mistakes
 * that the user must know about, and would fall back to another cluster.
 */
final class KubeconfigCheck {
  private final List<JsonNode> files;
  private final String where;

  private KubeconfigCheck(List<Path> files) {
    this.files = files.stream().map(KubeconfigCheck::read).toList();
    this.where = "kubeconfig " + list(files) + ": ";
  }

  /**
   * Fails with a {@link CommandFailure} unless these files, merged, define the cluster and user of
   * {@code context} (or of the current context).
   */
  static void check(List<Path> files, @Nullable String context) {
    KubeconfigCheck check = new KubeconfigCheck(files);
    JsonNode chosen = check.context(context).path("context");
    String cluster = chosen.path("cluster").asText("");
    if (check.entry("clusters", cluster).path("cluster").path("server").asText("").isBlank()) {
      throw check.failure("there is no server for cluster \"" + cluster + "\"");
    }
    String user = chosen.path("user").asText("");
    if (!user.isEmpty() && check.entry("users", user).isMissingNode()) {
      throw check.failure("user \"" + user + "\" does not exist");
    }
  }

  static String list(List<Path> files) {
    return files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private JsonNode context(@Nullable String asked) {
    String wanted = asked != null ? asked : currentContext();
    String known =
        entries("contexts").map(c -> c.path("name").asText()).collect(Collectors.joining(", "));
    if (known.isEmpty()) {
      throw failure("it has no contexts");
    }
    if (wanted.isEmpty()) {
      throw failure("no current context; pass --context, one of: " + known);
    }
    JsonNode context = entry("contexts", wanted);
    if (context.isMissingNode()) {
      throw failure("context \"" + wanted + "\" does not exist; it has: " + known);
    }
    return context;
  }

  private String currentContext() {
    return files.stream()
        .map(file -> file.path("current-context").asText(""))
        .filter(c -> !c.isEmpty())
        .findFirst()
        .orElse("");
  }

  private JsonNode entry(String list, String name) {
    return entries(list)
        .filter(e -> name.equals(e.path("name").asText()))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private Stream<JsonNode> entries(String list) {
    return files.stream().flatMap(file -> file.path(list).valueStream());
  }

  private CommandFailure failure(String what) {
    return new CommandFailure(where + what);
  }

  private static JsonNode read(Path file) {
    try {
      JsonNode content = new YAMLMapper().readTree(file.toFile());
      if (!content.isObject() || !"Config".equals(content.path("kind").asText("Config"))) {
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
                  FirstLine.of(e.getOriginalMessage())),
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
}

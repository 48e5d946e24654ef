package dev.drydock.edge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Json;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Longhorn's own CRDs, as its Go module has them. */
final class LonghornDefinitions {
  private static final String MODULE = "github.com/longhorn/longhorn-manager@v1.10.0";

  private LonghornDefinitions() {}

  /** Absent where there is no Go, or no registry of modules. */
  static Optional<String> find() {
    try {
      CommandResult module =
          CommandResult.run(
              List.of("go", "mod", "download", "-json", MODULE), Map.of("GOFLAGS", ""), "");
      if (!module.succeeded()) {
        return Optional.empty();
      }
      JsonNode found = Json.read(module.standardOutput());
      Path file = Path.of(found.path("Dir").asText()).resolve("k8s").resolve("crds.yaml");
      // the file is a template of a chart
      return Optional.of(Files.readString(file).replaceAll("(?m)^( *labels:) \\{\\{.*$", "$1"));
    } catch (IOException | TestbedException missing) {
      return Optional.empty();
    }
  }
}

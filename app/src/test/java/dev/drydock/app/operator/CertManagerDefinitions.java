package dev.drydock.app.operator;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.testbed.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The definitions of cert-manager's kinds. */
final class CertManagerDefinitions {
  private CertManagerDefinitions() {}

  /** From its Go module, as the programs of the cluster are; there they are parts of a chart. */
  static List<Path> in(Path folder) throws IOException {
    CommandResult downloaded =
        CommandResult.run(
            List.of(
                "go", "mod", "download", "-json", "github.com/cert-manager/cert-manager@v1.18.2"),
            Map.of("GOWORK", "off"),
            "");
    assumeThat(downloaded.succeeded()).as(downloaded.toString()).isTrue();
    Path module = Path.of(new ObjectMapper().readTree(downloaded.output()).path("Dir").asText());
    List<Path> definitions = new ArrayList<>();
    for (String kind : List.of("issuers", "certificates")) {
      String chart = Files.readString(module.resolve("deploy/crds/crd-" + kind + ".yaml"));
      definitions.add(
          Files.writeString(
              folder.resolve(kind + ".yaml"), chart.replaceAll("(?m)^.*\\{\\{.*\n", "")));
    }
    return definitions;
  }
}

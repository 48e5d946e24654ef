package dev.drydock.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crdv2.generator.CRDGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The committed CRDs match the classes, so that reviews show API changes. */
class CrdFilesTest {
  private static final Path FILES = Path.of("..", "deploy", "crds");

  @Test
  void theCommittedFilesEqualTheGeneratedOnes() throws IOException {
    Map<String, String> generated = generate();
    if (Boolean.getBoolean("crds.write")) {
      for (Map.Entry<String, String> file : generated.entrySet()) {
        Files.writeString(FILES.resolve(file.getKey()), file.getValue());
      }
    }
    assertThat(committed())
        .as("run: mvn test -pl contracts -Dcrds.write=true, and look at what changed")
        .isEqualTo(generated);
  }

  @Test
  void whatIsPrintedHoldsEveryDefinition() {
    assertThat(CrdCatalog.yaml().split("(?m)^---\n")).hasSameSizeAs(CrdCatalog.KINDS);
    assertThat(CrdCatalog.yaml()).contains("name: \"drainrequests.nvsentinel.nvidia.com\"");
  }

  private static Map<String, String> generate() {
    Map<String, ByteArrayOutputStream> files = new HashMap<>();
    var _ =
        new CRDGenerator()
            .customResourceClasses(List.copyOf(CrdCatalog.KINDS))
            .customResourceClasses(List.copyOf(CrdCatalog.COMPATIBLE))
            .customResourceClasses(List.copyOf(CrdCatalog.ON_REQUEST))
            .customResourceClasses(List.copyOf(CrdCatalog.SERVED_BY_OTHERS))
            .forCRDVersions("v1")
            .withPostProcessor(new SchemaTidy())
            .withOutput(
                new CRDGenerator.AbstractCRDOutput<ByteArrayOutputStream>() {
                  @Override
                  protected ByteArrayOutputStream createStreamFor(String name) {
                    return files.computeIfAbsent(name + ".yaml", _ -> new ByteArrayOutputStream());
                  }
                })
            .generate();
    return files.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, e -> e.getValue().toString(StandardCharsets.UTF_8)));
  }

  private static Map<String, String> committed() throws IOException {
    try (Stream<Path> files = Files.list(FILES)) {
      Map<String, String> texts = new HashMap<>();
      for (Path file : files.toList()) {
        texts.put(file.getFileName().toString(), Files.readString(file));
      }
      return texts;
    }
  }
}

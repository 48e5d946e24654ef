package dev.drydock.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The SBOM of the jars, in CycloneDX's JSON, and of what else is in the image. */
final class Sbom {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode content;

  /** Begins with the one that Maven's plugin has made. */
  Sbom(Path jars) throws IOException {
    if (!Files.exists(jars)) {
      throw new ImageFailure(
          "there is no SBOM of the jars: Maven makes none offline, so build without --offline");
    }
    this.content = (ObjectNode) JSON.readTree(jars.toFile());
  }

  Sbom with(List<DebianPackage> packages) {
    for (DebianPackage each : packages) {
      ObjectNode component =
          component("library", each.name(), each.version())
              .put(
                  "purl",
                  "pkg:deb/debian/%s@%s?arch=%s"
                      .formatted(
                          each.name(),
                          URLEncoder.encode(each.version(), StandardCharsets.UTF_8),
                          each.architecture()));
      component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", each.sha256());
    }
    return this;
  }

  /** With the runtime that was linked from the JDK that runs this. */
  Sbom withRuntime() {
    // not from the runtime's "release" file: jlink writes neither vendor nor build there
    component("platform", "OpenJDK runtime", Runtime.version().toString())
        .put("publisher", System.getProperty("java.vendor"));
    return this;
  }

  private ObjectNode component(String type, String name, String version) {
    return content
        .withArray("components")
        .addObject()
        .put("type", type)
        .put("bom-ref", name)
        .put("name", name)
        .put("version", version);
  }

  void write(Path file) throws IOException {
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), content);
  }
}

package dev.drydock.testbed.realkubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

/** A tar file with one image in OCI format that names it. */
public record OciArchive(Path file, String name, String architecture) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads what the archive says of itself.
   *
   * @throws TestbedException if it is none, with what to do
   */
  public static OciArchive of(Path file) {
    if (!Files.isReadable(file)) {
      throw new TestbedException("no image %s: build it with 'make image'".formatted(file));
    }
    try {
      JsonNode manifest = JSON.readTree(member(file, "index.json")).at("/manifests/0");
      JsonNode name = manifest.at("/annotations/io.containerd.image.name");
      JsonNode architecture = manifest.at("/platform/architecture");
      if (name.isTextual() && architecture.isTextual()) {
        return new OciArchive(file, name.textValue(), architecture.textValue());
      }
    } catch (IOException _) {
      // not JSON, so no image either
    }
    throw new TestbedException(
        "%s is no archive of an image with a name: build one with 'make image'".formatted(file));
  }

  /**
   * The newest image in a folder where {@code make image} puts them. If there is none, a file that
   * does not exist.
   */
  public static Path newestIn(Path folder) {
    Path none = folder.resolve("drydock-VERSION.oci.tar");
    try (DirectoryStream<Path> images = Files.newDirectoryStream(folder, "drydock-*.oci.tar")) {
      return StreamSupport.stream(images.spliterator(), false)
          .max(Comparator.comparingLong(image -> image.toFile().lastModified()))
          .orElse(none);
    } catch (IOException _) {
      return none; // there is not even the folder
    }
  }

  /** Unpacks all layers into an empty folder, and returns the command that the image runs. */
  public List<String> unpack(Path root) throws IOException {
    JsonNode manifest = blob(JSON.readTree(member(file, "index.json")).at("/manifests/0"));
    for (JsonNode layer : manifest.path("layers")) {
      SystemCommand.run(
              "bash",
              "-c",
              "tar -xOf \"$1\" --occurrence=1 \"$2\" | tar -xzf - -C \"$3\"",
              "unpack",
              file.toString(),
              path(layer),
              root.toString())
          .output();
    }
    Files.createDirectories(root.resolve("proc")); // where container runtimes mount it
    List<String> command = new ArrayList<>();
    blob(manifest.path("config"))
        .at("/config/Entrypoint")
        .forEach(word -> command.add(word.asText()));
    return command;
  }

  private JsonNode blob(JsonNode descriptor) throws IOException {
    return JSON.readTree(member(file, path(descriptor)));
  }

  private static String path(JsonNode descriptor) {
    return "blobs/" + descriptor.path("digest").asText().replace(':', '/');
  }

  /** Nodes of the testbed are on this machine, and have its architecture. */
  public void requireArchitectureOfThisMachine() {
    String own = ContainerImage.architecture();
    if (!architecture.equals(own)) {
      throw new TestbedException(
          "%s is for %s, and this machine is %s: build the image on a machine like the node"
              .formatted(file, architecture, own));
    }
  }

  /** Empty if there is no such member. */
  private static String member(Path archive, String member) {
    CommandResult result =
        SystemCommand.run(
            "tar", "-x", "--to-stdout", "--occurrence=1", "-f", archive.toString(), member);
    return result.succeeded() ? result.output() : "";
  }
}

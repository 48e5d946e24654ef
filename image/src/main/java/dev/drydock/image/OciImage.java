package dev.drydock.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.zip.GZIPOutputStream;

/**
 * Writes an image in OCI format as one tar file that names it. It also has the index that older
 * versions of {@code docker load} read.
 *
 * @param name with its tag
 * @param user the user and group that its processes have
 */
record OciImage(
    String name,
    String architecture,
    String user,
    List<String> environment,
    List<String> entrypoint,
    Map<String, String> labels,
    Instant created) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

  /** The files of the root that one layer has, by their paths without a leading slash. */
  record Layer(String what, Predicate<String> files) {}

  private record Blob(String type, String digest, long size, Path file) {
    ObjectNode descriptor() {
      return JSON.createObjectNode()
          .put("mediaType", type)
          .put("digest", "sha256:" + digest)
          .put("size", size);
    }

    String path() {
      return "blobs/sha256/" + digest;
    }
  }

  private record WrittenLayer(String what, String contentDigest, Blob blob) {}

  /** Returns the image's digest. */
  String write(Path root, List<Layer> layers, Path work, Path archive) throws IOException {
    List<WrittenLayer> written = new ArrayList<>();
    for (Layer layer : layers) {
      written.add(write(root, layer, work.resolve(layer.what() + ".tar.gz")));
    }
    Blob config = blob("application/vnd.oci.image.config.v1+json", config(written), work);
    ObjectNode content =
        JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", MANIFEST_TYPE);
    content.set("config", config.descriptor());
    written.forEach(layer -> content.withArray("layers").add(layer.blob().descriptor()));
    Blob manifest = blob(MANIFEST_TYPE, content, work);
    Map<String, Path> blobs = new TreeMap<>();
    blobs.put(config.path(), config.file());
    blobs.put(manifest.path(), manifest.file());
    written.forEach(layer -> blobs.put(layer.blob().path(), layer.blob().file()));
    Path part = archive.resolveSibling(archive.getFileName() + ".part");
    try (TarFile tar = new TarFile(Files.newOutputStream(part), created)) {
      tar.file("index.json", bytes(index(manifest)));
      tar.file("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(UTF_8));
      tar.file("manifest.json", ("[" + forDocker(config, written) + "]").getBytes(UTF_8));
      for (Map.Entry<String, Path> blob : blobs.entrySet()) {
        tar.file(blob.getKey(), blob.getValue());
      }
    }
    Files.move(part, archive, StandardCopyOption.REPLACE_EXISTING);
    return "sha256:" + manifest.digest();
  }

  private WrittenLayer write(Path root, Layer layer, Path file) throws IOException {
    MessageDigest content = Checksum.newDigest();
    MessageDigest compressed = Checksum.newDigest();
    try (OutputStream out = new DigestOutputStream(Files.newOutputStream(file), compressed);
        OutputStream zip = new DigestOutputStream(new GZIPOutputStream(out, 1 << 16), content);
        TarFile tar = new TarFile(zip, created)) {
      tar.tree(root, layer.files());
    }
    String type = "application/vnd.oci.image.layer.v1.tar+gzip";
    Blob blob = new Blob(type, Checksum.text(compressed), Files.size(file), file);
    return new WrittenLayer(layer.what(), Checksum.text(content), blob);
  }

  private ObjectNode config(List<WrittenLayer> layers) {
    ObjectNode all =
        JSON.createObjectNode()
            .put("created", created.toString())
            .put("architecture", architecture)
            .put("os", "linux");
    ObjectNode config = all.putObject("config").put("User", user).put("WorkingDir", "/");
    environment.forEach(config.putArray("Env")::add);
    entrypoint.forEach(config.putArray("Entrypoint")::add);
    ObjectNode named = config.putObject("Labels");
    new TreeMap<>(labels).forEach(named::put);
    ObjectNode contents = all.putObject("rootfs").put("type", "layers");
    for (WrittenLayer layer : layers) {
      contents.withArray("diff_ids").add("sha256:" + layer.contentDigest());
      all.withArray("history")
          .addObject()
          .put("created", created.toString())
          .put("created_by", "drydock image: " + layer.what());
    }
    return all;
  }

  private ObjectNode index(Blob manifest) {
    ObjectNode described = manifest.descriptor();
    described.putObject("platform").put("architecture", architecture).put("os", "linux");
    described
        .putObject("annotations")
        .put("io.containerd.image.name", name)
        .put("org.opencontainers.image.ref.name", name.substring(name.lastIndexOf(':') + 1));
    ObjectNode index =
        JSON.createObjectNode()
            .put("schemaVersion", 2)
            .put("mediaType", "application/vnd.oci.image.index.v1+json");
    index.putArray("manifests").add(described);
    return index;
  }

  private ObjectNode forDocker(Blob config, List<WrittenLayer> layers) {
    ObjectNode image = JSON.createObjectNode().put("Config", config.path());
    image.putArray("RepoTags").add(name);
    layers.forEach(layer -> image.withArray("Layers").add(layer.blob().path()));
    return image;
  }

  private static Blob blob(String type, ObjectNode content, Path work) throws IOException {
    byte[] bytes = bytes(content);
    MessageDigest digest = Checksum.newDigest();
    digest.update(bytes);
    String text = Checksum.text(digest);
    Path file = Files.write(work.resolve(text + ".json"), bytes);
    return new Blob(type, text, bytes.length, file);
  }

  private static byte[] bytes(ObjectNode content) throws IOException {
    return JSON.writeValueAsBytes(content);
  }
}

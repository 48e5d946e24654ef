package dev.drydock.slingshot.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.slingshot.node.HostPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Modules that were built or downloaded, each build in a folder of its own with the checksums of
 * its files. A build is there as a whole or not at all; what does not match its checksums is not
 * there.
 */
final class ModuleCache {
  private static final String CHECKSUMS = "checksums.json";

  private final Path folder;

  ModuleCache(Path folder) {
    this.folder = folder;
  }

  /** What a build depends on: with the same key nothing is built twice. */
  record Key(String revision, String name, String kernel, String arch, String compiler) {
    private String text() {
      String all = String.join("\n", List.of(revision, name, kernel, arch, compiler));
      byte[] digest = DurableFiles.digest().digest(all.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, 32);
    }
  }

  private Path place(Key key) {
    return folder.resolve(key.text());
  }

  /** The checksums of a build's files by name; empty if it is not there, or was changed. */
  Optional<Map<String, String>> find(Key key) throws IOException {
    Path place = place(key);
    Path list = place.resolve(CHECKSUMS);
    if (!Files.isRegularFile(list)) {
      return Optional.empty();
    }
    Map<String, String> checksums = listed(Json.read(Files.readString(list)));
    Map<String, String> present = checksums(place);
    present.remove(CHECKSUMS);
    return checksums.isEmpty() || !present.equals(checksums)
        ? Optional.empty()
        : Optional.of(checksums);
  }

  private static Map<String, String> listed(JsonNode list) {
    Map<String, String> checksums = new TreeMap<>();
    list.path("files")
        .properties()
        .forEach(each -> checksums.put(each.getKey(), each.getValue().asText()));
    return checksums;
  }

  /** Whether these files are a build that succeeded, with whatever compiler. */
  boolean knows(Key key, Map<String, String> checksums) throws IOException {
    for (Path place : HostPaths.children(folder)) {
      Path list = place.resolve(CHECKSUMS);
      if (Files.isRegularFile(list)) {
        JsonNode build = Json.read(Files.readString(list));
        Key known =
            new Key(
                Fields.text(build, "revision"),
                Fields.text(build, "package"),
                Fields.text(build, "kernel"),
                Fields.text(build, "arch"),
                key.compiler());
        if (known.equals(key) && listed(build).equals(checksums)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The checksums of all files in a folder, by name. */
  static Map<String, String> checksums(Path folder) throws IOException {
    Map<String, String> checksums = new TreeMap<>();
    if (!Files.isDirectory(folder)) {
      return checksums;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          checksums.put(HostPaths.name(file), DurableFiles.sha256(file));
        }
      }
    }
    return checksums;
  }

  /**
   * Keeps the files of a folder. If another node kept the same build meanwhile, that one counts.
   *
   * @return whether this one is kept
   */
  boolean save(Key key, Path files) throws IOException {
    Path place = place(key);
    if (find(key).isPresent()) {
      return checksums(files).equals(find(key).get());
    }
    Path unfinished = Files.createTempDirectory(Files.createDirectories(folder), ".build");
    try {
      Map<String, String> checksums = copy(files, unfinished);
      ObjectNode listed =
          Json.object()
              .put("revision", key.revision())
              .put("package", key.name())
              .put("kernel", key.kernel())
              .put("arch", key.arch())
              .put("compiler", key.compiler());
      checksums.forEach(listed.putObject("files")::put);
      DurableFiles.write(unfinished.resolve(CHECKSUMS), listed.toString());
      if (Files.exists(place)) {
        DurableFiles.deleteTree(place); // it was changed, or is not complete
      }
      Files.move(unfinished, place, StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.sync(folder);
      return true;
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException another) {
      return false;
    } finally {
      DurableFiles.deleteTree(unfinished);
    }
  }

  /** Puts the files of a build into a folder, which then has nothing else. */
  void restore(Key key, Path target) throws IOException {
    Path unfinished = target.resolveSibling("." + target.getFileName() + ".tmp");
    DurableFiles.deleteTree(unfinished);
    Files.createDirectories(unfinished);
    copy(place(key), unfinished);
    Files.deleteIfExists(unfinished.resolve(CHECKSUMS));
    DurableFiles.deleteTree(target);
    Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
  }

  Path file(Key key, String name) {
    return place(key).resolve(name);
  }

  private static Map<String, String> copy(Path from, Path to) throws IOException {
    for (String name : checksums(from).keySet()) {
      DurableFiles.copy(from.resolve(name), to.resolve(name));
    }
    return checksums(to);
  }
}

package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.slingshot.driver.decide.ModuleState;
import dev.drydock.slingshot.node.HostPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files that a kernel would load, as the host's {@code modinfo} finds them. */
final class ModuleFiles {
  private final AgentFolders folders;
  private final HostTools tools;

  ModuleFiles(AgentFolders folders, HostTools tools) {
    this.folders = folders;
    this.tools = tools;
  }

  /** {@code cxi-ss1.ko.xz} is the file of module {@code cxi_ss1}. */
  static boolean isModule(String file) {
    return file.matches(".+\\.ko(\\.(gz|xz|zst))?");
  }

  static String moduleOf(String file) {
    return file.replaceFirst("\\.ko(\\.\\w+)?$", "").replace('-', '_');
  }

  /** The file that a kernel has for a module; empty if it has none. */
  Optional<Path> find(String kernel, String module) {
    HostTools.Result result = tools.run("modinfo", "-k", kernel, "-n", module);
    String path = result.output().strip();
    return result.succeeded() && path.startsWith("/") && !path.contains("\n")
        ? Optional.of(folders.module(path)).filter(Files::isRegularFile)
        : Optional.empty();
  }

  /** Whether a kernel would load exactly these files. */
  boolean areInPlace(String kernel, Map<String, String> checksums) throws IOException {
    return differences(kernel, checksums).isEmpty();
  }

  /** Which of these files the kernel would not load, and what it would load instead. */
  List<String> differences(String kernel, Map<String, String> checksums) throws IOException {
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, String> wanted : checksums.entrySet()) {
      if (!isModule(wanted.getKey())) {
        continue;
      }
      Optional<Path> found = find(kernel, moduleOf(wanted.getKey()));
      if (found.isEmpty()) {
        differences.add("kernel %s has no %s".formatted(kernel, wanted.getKey()));
      } else if (!DurableFiles.sha256(found.get()).equals(wanted.getValue())) {
        differences.add(
            "%s in %s is another one than the one that was built"
                .formatted(
                    wanted.getKey(), HostPaths.name(found.get().resolveSibling(".").normalize())));
      }
    }
    return differences;
  }

  /** What is known about the file of a module. */
  ModuleState.InPlace describe(String kernel, String module) {
    Path file =
        find(kernel, module)
            .orElseThrow(
                () ->
                    new InstallFailure(
                        FailureReason.NotInPlace,
                        "kernel %s has no module %s".formatted(kernel, module)));
    HostTools.Result sources = tools.run("modinfo", "-k", kernel, "-F", "srcversion", module);
    try {
      Instant written = Files.getLastModifiedTime(file).toInstant();
      return new ModuleState.InPlace(
          DurableFiles.sha256(file),
          Optional.of(sources.output().strip())
              .filter(text -> sources.succeeded() && !text.isEmpty()),
          written);
    } catch (IOException unreadable) {
      throw new InstallFailure(
          FailureReason.NotInPlace,
          "%s cannot be read: %s".formatted(file, unreadable.getMessage()));
    }
  }
}

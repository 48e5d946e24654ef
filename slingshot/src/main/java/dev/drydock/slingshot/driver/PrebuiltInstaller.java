package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.FailureReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Downloads modules that were built for a kernel and puts them in place, each file at once. They
 * are in a folder of their own, {@code extra/cxi} of the kernel.
 */
final class PrebuiltInstaller {
  private static final String CORE = "cxi-ss1.ko";
  private static final String LEGACY = "cxi.ko";
  private static final List<String> REQUIRED = List.of(CORE, "cxi-user.ko");

  /** Which of them there are depends on the release. */
  private static final List<String> OPTIONAL =
      List.of("cxi-eth.ko", "sbl.ko", "sl.ko", "cxi-sbl.ko", "cxi-sl.ko");

  private final AgentFolders folders;
  private final HostTools tools;
  private final SourceDownload download;
  private final ModuleCache cache;
  private final ModuleFiles files;

  PrebuiltInstaller(AgentFolders folders, HostTools tools, SourceDownload download) {
    this.folders = folders;
    this.tools = tools;
    this.download = download;
    cache = new ModuleCache(folders.cache());
    files = new ModuleFiles(folders, tools);
  }

  /** Returns when the kernel would load the modules of this driver. */
  void install(DriverTarget target, String kernel, Consumer<String> step) throws IOException {
    ModuleCache.Key key = new ModuleCache.Key(target.revision(), "prebuilt", kernel, "", "");
    Optional<Map<String, String>> known = cache.find(key);
    if (known.isEmpty()) {
      step.accept("download modules for kernel " + kernel);
      fetch(target, kernel, key);
      known = cache.find(key);
    }
    Map<String, String> wanted =
        known.orElseThrow(
            () -> new IOException("%s does not keep what is written".formatted(folders.cache())));
    Path place = place(kernel);
    boolean changed = false;
    Map<String, String> present = ModuleCache.checksums(place);
    for (Map.Entry<String, String> each : wanted.entrySet()) {
      if (!each.getValue().equals(present.get(each.getKey()))) {
        step.accept("install %s for kernel %s".formatted(each.getKey(), kernel));
        DurableFiles.copy(cache.file(key, each.getKey()), place.resolve(each.getKey()));
        changed = true;
      }
    }
    for (String old : present.keySet()) {
      if (!wanted.containsKey(old)) {
        Files.delete(place.resolve(old));
        changed = true;
      }
    }
    if (changed || !files.areInPlace(kernel, wanted)) {
      depmod(kernel);
    }
    List<String> differences = files.differences(kernel, wanted);
    if (!differences.isEmpty()) {
      throw new InstallFailure(
          FailureReason.NotInPlace, "%s: %s".formatted(place, String.join(", ", differences)));
    }
  }

  /** Takes the modules out of a kernel, so that others are found. */
  void uninstall(String kernel) throws IOException {
    if (Files.isDirectory(place(kernel))) {
      DurableFiles.deleteTree(place(kernel));
      depmod(kernel);
    }
  }

  private Path place(String kernel) {
    return folders.modules(kernel).resolve("extra/cxi");
  }

  private void depmod(String kernel) {
    HostTools.Result result = tools.run("depmod", "-a", kernel);
    if (!result.succeeded()) {
      throw new InstallFailure(
          FailureReason.HostToolFailed,
          "depmod -a %s failed with exit code %d: %s"
              .formatted(kernel, result.exitCode(), result.lastLine()));
    }
  }

  private void fetch(DriverTarget target, String kernel, ModuleCache.Key key) throws IOException {
    Path unfinished = Files.createTempDirectory("cxi-modules");
    try {
      String base = Objects.requireNonNull(target.prebuilt()).replaceAll("/+$", "");
      List<String> places =
          List.of(
              "%s/%s/%s/".formatted(base, target.version(), kernel),
              "%s/%s/".formatted(base, kernel));
      boolean found = false;
      for (String place : places) {
        if (!found && fetch(place + CORE, unfinished.resolve(CORE))) {
          found = true;
          rest(place, unfinished);
        }
      }
      // the single file of old caches
      if (!found && !fetch(places.getLast() + LEGACY, unfinished.resolve(LEGACY))) {
        throw new InstallFailure(
            FailureReason.NoPrebuiltForKernel,
            "%s has no modules of driver %s for kernel %s"
                .formatted(base, target.version(), kernel));
      }
      var _ = cache.save(key, unfinished);
    } finally {
      DurableFiles.deleteTree(unfinished);
    }
  }

  private void rest(String place, Path folder) throws IOException {
    for (String name : Stream.concat(REQUIRED.stream(), OPTIONAL.stream()).toList()) {
      boolean has = name.equals(CORE) || fetch(place + name, folder.resolve(name));
      if (!has && REQUIRED.contains(name)) {
        throw new InstallFailure(
            FailureReason.NoPrebuiltForKernel, "%s has no %s".formatted(place, name));
      }
    }
  }

  /** Whether there is such a file; if its checksum is beside it, it must have that one. */
  private boolean fetch(String url, Path file) throws IOException {
    if (!download.find(url, file)) {
      return false;
    }
    Optional<String> wanted =
        download
            .text(url + ".sha256")
            .map(text -> text.strip().replaceAll("\\s.*", "").toLowerCase(Locale.ROOT));
    if (wanted.isPresent() && !wanted.get().equals(DurableFiles.sha256(file))) {
      throw new InstallFailure(
          FailureReason.DownloadFailed, "%s does not have the checksum beside it".formatted(url));
    }
    return true;
  }
}

package dev.drydock.slingshot.driver;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.slingshot.driver.decide.ModuleState;
import dev.drydock.slingshot.node.HostFile;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.node.LoadedModules;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Which file the loaded core module came from. A boot makes it forget. */
final class LoadRecord {
  private static final String CORE = LoadedModules.DRIVER.getFirst();

  private final HostRoots roots;
  private final LoadedModules modules;
  private final Path file;

  LoadRecord(HostRoots roots) {
    this.roots = roots;
    modules = new LoadedModules(roots);
    file = roots.runCxi().resolve("driver-loaded.json");
  }

  void loaded(String sha256) throws IOException {
    DurableFiles.write(file, Json.object().put("boot", boot()).put("sha256", sha256).toString());
  }

  /** Modules are about to be unloaded, so that nothing is known until others are loaded. */
  void forget() {
    DurableFiles.deleteQuietly(file);
  }

  ModuleState.Loaded read() {
    return new ModuleState.Loaded(recorded(), modules.sourceChecksum(CORE), booted());
  }

  private Optional<String> recorded() {
    try {
      Optional<String> text = HostFile.text(file);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      JsonNode record = Json.read(text.get());
      return Optional.of(Fields.text(record, "sha256"))
          .filter(sha256 -> !sha256.isEmpty())
          .filter(_ -> !boot().isEmpty() && boot().equals(Fields.text(record, "boot")));
    } catch (IOException malformed) {
      return Optional.empty();
    }
  }

  private String boot() {
    return HostFile.text(roots.proc().resolve("sys/kernel/random/boot_id")).orElse("");
  }

  /** The epoch if it is not known. */
  private Instant booted() {
    return HostFile.text(roots.proc().resolve("stat"))
        .flatMap(
            text ->
                text.lines()
                    .filter(line -> line.matches("btime \\d{1,12}"))
                    .map(line -> Long.parseLong(line.substring("btime ".length())))
                    .findFirst())
        .map(Instant::ofEpochSecond)
        .orElse(Instant.EPOCH);
  }
}

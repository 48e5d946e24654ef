package dev.drydock.bench;

import dev.drydock.testbed.CommandResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A device plugin in Go with the least that a kubelet needs, built from the Go module registry. */
final class GoDevicePlugin {
  private static final List<String> FILES = List.of("main.go", "go.mod", "go.sum");

  private GoDevicePlugin() {}

  /** Builds it; the Go tools keep what they have compiled, so that only the first time is slow. */
  static Path build(Path folder) throws IOException {
    Path module = Files.createDirectories(folder.resolve("goplugin"));
    for (String file : FILES) {
      try (InputStream in =
          Objects.requireNonNull(GoDevicePlugin.class.getResourceAsStream("goplugin/" + file))) {
        Files.write(module.resolve(file), in.readAllBytes());
      }
    }
    Path program = folder.resolve("go-plugin");
    CommandResult built =
        CommandResult.run(
            List.of(
                go(), "build", "-C", module.toString(), "-trimpath", "-o", program.toString(), "."),
            Map.of("CGO_ENABLED", "0", "GOTOOLCHAIN", "local", "GOFLAGS", "", "GOWORK", "off"),
            "");
    if (!built.succeeded()) {
      throw new BenchFailure("go cannot build the device plugin: " + built.standardError());
    }
    return program;
  }

  private static String go() {
    Path usual = Path.of("/usr/local/go/bin/go");
    return Files.isExecutable(usual) ? usual.toString() : "go";
  }
}

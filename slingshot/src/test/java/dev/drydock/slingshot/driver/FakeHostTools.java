package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.node.HostPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Programs of a fake machine without processes: they change its files at once. */
final class FakeHostTools implements HostTools {
  /** What was called to change something, in order. */
  final List<String> calls = new ArrayList<>();

  /** Modules that the kernel refuses to load. */
  final Set<String> unfit = new HashSet<>();

  /** Modules that the kernel does not let go of. */
  final Set<String> busy = new HashSet<>();

  /** Called before and after every program that changes something. */
  Runnable interrupted = () -> {};

  private final FakeNics machine;

  FakeHostTools(FakeNics machine) {
    this.machine = machine;
  }

  @Override
  public Result run(Duration within, List<String> command) {
    try {
      return switch (command.getFirst()) {
        case "modinfo" -> modinfo(command);
        case "depmod", "modprobe", "rmmod" -> change(command);
        default -> throw new IllegalArgumentException("no such program: " + command);
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Result change(List<String> command) throws IOException {
    interrupted.run();
    Result result =
        switch (command.getFirst()) {
          case "modprobe" -> load(command.getLast());
          case "rmmod" -> unload(command.getLast());
          default -> new Result(0, "");
        };
    interrupted.run();
    return result;
  }

  private Result modinfo(List<String> command) throws IOException {
    boolean names = command.contains("-n");
    String kernel = command.get(command.indexOf("-k") + 1);
    Optional<Path> file = find(kernel, command.getLast());
    if (file.isEmpty()) {
      return new Result(1, "modinfo: ERROR: Module %s not found.".formatted(command.getLast()));
    }
    Path below = machine.roots().modules().relativize(file.get());
    return new Result(0, names ? "/lib/modules/" + below + "\n" : "\n");
  }

  private Optional<Path> find(String kernel, String module) throws IOException {
    Path folder = machine.roots().modules().resolve(kernel);
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> ModuleFiles.isModule(HostPaths.name(file)))
          .filter(file -> ModuleFiles.moduleOf(HostPaths.name(file)).equals(module))
          .findFirst();
    }
  }

  private Path modules() {
    return machine.roots().proc().resolve("modules");
  }

  private Result load(String module) throws IOException {
    calls.add("load " + module);
    if (unfit.contains(module)) {
      return new Result(
          1, "modprobe: ERROR: could not insert '%s': Exec format error".formatted(module));
    }
    List<String> lines = new ArrayList<>(Files.readAllLines(modules()));
    lines.add(module + " 1 0 - Live 0x0");
    Files.write(modules(), lines);
    return new Result(0, "");
  }

  private Result unload(String module) throws IOException {
    calls.add("unload " + module);
    if (busy.contains(module)) {
      return new Result(1, "rmmod: ERROR: Module %s is in use".formatted(module));
    }
    List<String> lines = new ArrayList<>(Files.readAllLines(modules()));
    lines.removeIf(line -> line.startsWith(module + " "));
    Files.write(modules(), lines);
    return new Result(0, "");
  }
}

package dev.drydock.testbed.realkubelet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Everything by which a running node can be found on this machine. */
record NodeTraces(Path folder, String bridge, List<Path> podInterfaces) {

  static NodeTraces of(Path kubeletRoot) throws IOException {
    Path folder = Objects.requireNonNull(kubeletRoot.getParent());
    String bridge = folder.getFileName().toString();
    return new NodeTraces(
        folder,
        bridge,
        list(Path.of("/sys/class/net", bridge, "brif")).stream()
            .map(port -> Path.of("/sys/class/net", port.getFileName().toString()))
            .toList());
  }

  /** Descriptions of what currently exists. */
  List<String> present() throws IOException {
    List<String> traces = new ArrayList<>();
    for (Path process : list(Path.of("/proc"))) {
      if (process.getFileName().toString().matches("\\d+")) {
        traces.addAll(tracesIn(process));
      }
    }
    for (Path hierarchy : list(Path.of("/sys/fs/cgroup"))) {
      addIfPresent(traces, hierarchy.resolve(bridge));
    }
    addIfPresent(traces, Path.of("/sys/fs/cgroup", bridge));
    addIfPresent(traces, Path.of("/sys/class/net", bridge));
    podInterfaces.forEach(podInterface -> addIfPresent(traces, podInterface));
    addIfPresent(traces, folder);
    addIfPresent(traces, folder.resolveSibling("cleanup.d").resolve(bridge + ".sh"));
    return traces;
  }

  private List<String> tracesIn(Path process) {
    List<String> traces = new ArrayList<>();
    if (names(process.resolve("cgroup"), "/" + bridge)) {
      traces.add("process in the cgroup: " + command(process));
    }
    if (names(process.resolve("cmdline"), folder.toString())) {
      traces.add("process of the node: " + command(process));
    }
    if (names(process.resolve("mountinfo"), folder.toString())) {
      traces.add("mount seen by: " + command(process));
    }
    return traces;
  }

  /** Matches the whole number: node 13 is not node 134. */
  private static boolean names(Path file, String numbered) {
    return Pattern.compile(Pattern.quote(numbered) + "(?!\\d)").matcher(read(file)).find();
  }

  private static String command(Path process) {
    return process.getFileName() + " " + read(process.resolve("cmdline")).replace('\0', ' ');
  }

  private static void addIfPresent(List<String> traces, Path path) {
    if (Files.exists(path)) {
      traces.add(path.toString());
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      // the process ended meanwhile, as the test expects
      return "";
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}

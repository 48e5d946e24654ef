package dev.drydock.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Facts about this machine that are needed to interpret times. */
final class Machine {
  private Machine() {}

  static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", firstValue(Path.of("/proc/cpuinfo"), "model name"));
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", firstValue(Path.of("/proc/meminfo"), "MemTotal"));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("architecture", System.getProperty("os.arch"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    return facts;
  }

  private static String firstValue(Path file, String key) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown"; // not every system reports it; the figures are valid without it
    }
  }
}

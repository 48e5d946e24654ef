package dev.drydock.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A cluster's processes, found in the process table. */
public final class MarkedProcesses {
  private MarkedProcesses() {}

  public static List<String> of(Path directory) throws IOException {
    String marker = Guardian.MARKER + "=" + directory + "\0";
    List<String> marked = new ArrayList<>();
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (environmentOf(process).contains(marker)) {
          marked.add(process.getFileName().toString());
        }
      }
    }
    return marked;
  }

  private static String environmentOf(Path process) {
    try {
      return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // it ended meanwhile, or we may not read it
      return "";
    }
  }
}

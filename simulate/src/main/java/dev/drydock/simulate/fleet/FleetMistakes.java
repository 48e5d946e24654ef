package dev.drydock.simulate.fleet;

import java.util.List;

/** A fleet file is invalid; each mistake is a line with its path. */
public final class FleetMistakes extends RuntimeException {
  private final String file;
  private final List<String> lines;

  FleetMistakes(String file, List<String> lines) {
    super(file + ": " + String.join("; ", lines));
    this.file = file;
    this.lines = List.copyOf(lines);
  }

  public String file() {
    return file;
  }

  public List<String> lines() {
    return lines;
  }
}

package dev.drydock.slingshot.driver.decide;

import java.time.Instant;
import java.util.Optional;

/** Whether the kernel runs the modules that are in place. */
public enum ModuleState {
  /** It runs those. */
  CURRENT,
  /** It runs others. */
  OUTDATED,
  /** It runs some, and nobody knows which. */
  UNKNOWN,
  /** The core or the device module is not loaded. */
  ABSENT;

  /**
   * What is known about the core module that is loaded.
   *
   * @param loadedFile the checksum of the file, if the agent itself loaded it since the boot
   * @param sources the checksum of its sources that the kernel shows
   */
  public record Loaded(Optional<String> loadedFile, Optional<String> sources, Instant booted) {}

  /**
   * What is known about the file that is in place.
   *
   * @param sha256 of its content
   * @param sources the checksum of its sources that it contains
   */
  public record InPlace(String sha256, Optional<String> sources, Instant written) {}

  /** By the strongest evidence that there is. */
  public static ModuleState of(Loaded loaded, InPlace file) {
    if (loaded.loadedFile().isPresent()) {
      return current(loaded.loadedFile().get().equals(file.sha256()));
    }
    if (loaded.sources().isPresent() && file.sources().isPresent()) {
      return current(loaded.sources().get().equalsIgnoreCase(file.sources().get()));
    }
    // what was there when the machine booted is what was loaded then
    return loaded.booted().equals(Instant.EPOCH)
        ? UNKNOWN
        : current(file.written().isBefore(loaded.booted()));
  }

  private static ModuleState current(boolean same) {
    return same ? CURRENT : OUTDATED;
  }
}

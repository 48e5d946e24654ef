package dev.drydock.slingshot.driver.decide;

/**
 * Work that takes long.
 *
 * @param revision of the driver that it is about
 * @param kernel that it is done for
 */
public record DriverTask(Kind kind, String revision, String kernel) {
  /** What is done. */
  public enum Kind {
    /** Puts the files of the modules in place, and verifies them. */
    FILES,
    /** Loads modules that are not loaded. */
    LOAD,
    /** Unloads all modules of the driver, and loads those that are in place. */
    RELOAD,
    /** Puts the files in place for a kernel that does not run. */
    PREPARE
  }
}

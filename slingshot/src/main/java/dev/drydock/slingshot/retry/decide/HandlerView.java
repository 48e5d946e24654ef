package dev.drydock.slingshot.retry.decide;

import java.time.Duration;
import java.util.Optional;

/**
 * What is seen of a NIC and of its retry handler.
 *
 * @param present whether the NIC is there, or was named
 * @param deviceFile whether its device file is there
 * @param update what is being done to its driver, if it is being replaced
 * @param quarantine why no handler may run, if so
 * @param program whether the program is there
 * @param elsewhere who else runs a handler for the NIC, if somebody does
 */
public record HandlerView(
    boolean present,
    boolean deviceFile,
    Optional<String> update,
    Optional<String> quarantine,
    boolean program,
    Optional<String> elsewhere,
    Child child) {

  /** The process that was started for the NIC. */
  public sealed interface Child {
    /** There is none. */
    record None() implements Child {}

    /** It runs. */
    record Alive() implements Child {}

    /**
     * It was asked to end.
     *
     * @param since as a time that has passed
     */
    record Asked(Duration since) implements Child {}
  }
}

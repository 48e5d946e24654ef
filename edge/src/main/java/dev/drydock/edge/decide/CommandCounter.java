package dev.drydock.edge.decide;

import java.util.Optional;

/** What the counter of a controller's command says. */
public enum CommandCounter {
  /** The first command ever: a machine that has lost its memory must not be rebooted by it. */
  FIRST,
  /** The last command again. */
  SEEN,
  NEW;

  /** It has 32 bits. */
  public static final long MOST = 4_294_967_295L;

  /**
   * Decides.
   *
   * @param last the counter of the last command, if it is known
   */
  public static CommandCounter decide(Optional<Long> last, long counter) {
    return last.map(known -> known == counter ? SEEN : NEW).orElse(FIRST);
  }
}

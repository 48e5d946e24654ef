package dev.drydock.drain.command;

import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.decide.DrainOutcome;

/** Shows the progress of drains. Called from many threads. */
interface DrainView extends AutoCloseable {
  DrainListener listener(String node, boolean cordonedBefore);

  /** The line says how it ended, and on failure why and what to do. */
  void ended(DrainOutcome outcome, String line);

  @Override
  void close();
}

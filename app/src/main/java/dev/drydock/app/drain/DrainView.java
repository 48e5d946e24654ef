package dev.drydock.app.drain;

import dev.drydock.drain.kube.DrainListener;
import dev.drydock.drain.kube.DrainOutcome;

/** Shows drains as they go. Called from many threads. */
interface DrainView extends AutoCloseable {
  DrainListener listener(String node);

  void ended(DrainOutcome outcome);

  @Override
  void close();
}

package dev.drydock.demo;

import dev.drydock.kube.ApiFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the table on the screen up to date, a few times per second while the cluster changes. */
final class LiveTable implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveTable.class);
  private static final long FRAME_MILLIS = 200;

  private final DemoClusterView view;
  private final Screen screen;
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("table").factory());
  private long shown = -1;

  private LiveTable(DemoClusterView view, Screen screen) {
    this.view = view;
    this.screen = screen;
  }

  /** Does nothing without a terminal. */
  static LiveTable of(DemoClusterView view, Screen screen) {
    LiveTable table = new LiveTable(view, screen);
    if (screen.live()) {
      var _ =
          table.ticker.scheduleWithFixedDelay(table::draw, 0, FRAME_MILLIS, TimeUnit.MILLISECONDS);
    }
    return table;
  }

  private void draw() {
    long now = view.changes().count();
    if (now == shown) {
      return;
    }
    try {
      screen.table(FleetTable.of(view, screen.columns(), screen.rowsForTable()));
      shown = now;
    } catch (KubernetesClientException | ApiFailure e) {
      LOG.debug("the table is drawn with the next frame", e);
    }
  }

  /** Draws the final state. */
  @Override
  public void close() {
    ticker.close();
    if (screen.live()) {
      draw();
    }
  }
}

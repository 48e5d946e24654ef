package dev.drydock.demo;

import dev.drydock.cli.Ticker;
import dev.drydock.kube.ApiFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the table on the screen up to date, a few times per second while the cluster changes. */
final class LiveTable implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveTable.class);
  private static final Duration FRAME = Duration.ofMillis(200);

  private final DemoClusterView view;
  private final Screen screen;
  private @Nullable Ticker ticker;
  private long shown = -1;

  private LiveTable(DemoClusterView view, Screen screen) {
    this.view = view;
    this.screen = screen;
  }

  /** Does nothing without a terminal. */
  static LiveTable of(DemoClusterView view, Screen screen) {
    LiveTable table = new LiveTable(view, screen);
    if (screen.live()) {
      table.ticker = new Ticker("table", FRAME, table::draw);
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
    if (ticker != null) {
      ticker.close();
      draw();
    }
  }
}

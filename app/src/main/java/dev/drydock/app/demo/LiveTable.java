package dev.drydock.app.demo;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Keeps the table on the screen as the cluster is, a few times a second while it changes. */
final class LiveTable implements AutoCloseable {
  private static final long FRAME_MILLIS = 200;

  private final Fleet fleet;
  private final Screen screen;
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("table").factory());
  private long shown = -1;

  private LiveTable(Fleet fleet, Screen screen) {
    this.fleet = fleet;
    this.screen = screen;
  }

  /** Does nothing where there is no terminal. */
  static LiveTable of(Fleet fleet, Screen screen) {
    LiveTable table = new LiveTable(fleet, screen);
    if (screen.live()) {
      var _ =
          table.ticker.scheduleWithFixedDelay(table::draw, 0, FRAME_MILLIS, TimeUnit.MILLISECONDS);
    }
    return table;
  }

  private void draw() {
    long now = fleet.news().count();
    if (now != shown) {
      shown = now;
      screen.table(FleetTable.of(fleet));
    }
  }

  @Override
  public void close() {
    ticker.shutdownNow();
  }
}

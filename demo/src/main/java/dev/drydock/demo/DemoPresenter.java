package dev.drydock.demo;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Paces the demo: waits for Enter, for a while, or not at all. */
final class DemoPresenter {
  private final Screen screen;
  private final ChangeCounter changes;
  private final @Nullable Keys keys;
  private final @Nullable Duration pace;

  /**
   * @param keys the viewer's input, or null if there is none
   * @param pace how long to wait between steps; null waits for Enter if there is a viewer
   */
  DemoPresenter(
      Screen screen, ChangeCounter changes, @Nullable Keys keys, @Nullable Duration pace) {
    this.screen = screen;
    this.changes = changes;
    this.keys = keys;
    this.pace = pace;
  }

  void heading(String text) {
    quitIfViewerLeft();
    screen.heading(text);
  }

  void say(String text) {
    quitIfViewerLeft();
    screen.prose(text);
  }

  /** A line that the viewer may want to copy. */
  void quote(String text) {
    screen.exact("  " + text);
  }

  /** Does nothing on a terminal, where the table is always visible. */
  void show(DemoClusterView view) {
    if (!screen.live()) {
      FleetTable.of(view).forEach(screen::exact);
    }
  }

  /** Ends the demo if the viewer has left. */
  void quitIfViewerLeft() {
    if ((keys != null && keys.quit()) || screen.isLost()) {
      throw new Quit();
    }
  }

  /** Waits for the viewer, and names the next step. */
  void pause(String next) {
    pause(next, () -> false);
  }

  /** Waits for the viewer, unless the next step has already happened. */
  void pause(String next, BooleanSupplier happened) {
    if ((keys == null && pace == null) || happened.getAsBoolean()) {
      return;
    }
    if (keys != null) {
      screen.prompt("[%s: %s; q Enter: quit]".formatted(pace == null ? "Enter" : "next", next));
    }
    BooleanSupplier over =
        () -> {
          quitIfViewerLeft();
          return (keys != null && keys.takeEnter()) || happened.getAsBoolean();
        };
    try {
      if (pace == null) {
        changes.await(over);
      } else {
        var _ = changes.await(over, pace);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Quit();
    }
    screen.prompt("");
  }

  /** Waits until the viewer quits or the program is stopped. */
  void stay() {
    try {
      screen.prompt("[q Enter: quit]");
      changes.await(
          () -> {
            quitIfViewerLeft();
            return false;
          });
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.drydock.demo;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Tells the story at the viewer's pace: waits for Enter, or for a while, or not at all. */
final class DemoPresenter {
  private final Screen screen;
  private final ChangeCounter changes;
  private final @Nullable Keys keys;
  private final @Nullable Duration pace;

  /**
   * @param keys what the viewer types, or null if there is none
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
    heed();
    screen.heading(text);
  }

  void say(String text) {
    heed();
    screen.prose(text);
  }

  /** A line that somebody may want to copy. */
  void quote(String text) {
    screen.exact("  " + text);
  }

  /** On a terminal the table is there all the time. */
  void show(DemoClusterView view) {
    if (!screen.live()) {
      FleetTable.of(view).forEach(screen::exact);
    }
  }

  /** Ends the story if nobody follows it any more. */
  void heed() {
    if ((keys != null && keys.quit()) || screen.isLost()) {
      throw new Quit();
    }
  }

  /** Lets the viewer read; says what comes next. */
  void pause(String next) {
    pause(next, () -> false);
  }

  /** Lets the viewer read, but not when it has happened without us. */
  void pause(String next, BooleanSupplier happened) {
    if ((keys == null && pace == null) || happened.getAsBoolean()) {
      return;
    }
    if (keys != null) {
      screen.prompt("[%s: %s; q Enter: quit]".formatted(pace == null ? "Enter" : "next", next));
    }
    BooleanSupplier over =
        () -> {
          heed();
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

  /** Until the viewer quits or the program is stopped. */
  void stay() {
    try {
      screen.prompt("[q Enter: quit]");
      changes.await(
          () -> {
            heed();
            return false;
          });
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.drydock.app.demo;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the story at the viewer's pace: waits for Enter, or for a while, or not at all. */
final class Narrator {
  private final Screen screen;
  private final @Nullable Keys keys;
  private final @Nullable Duration pace;

  /**
   * @param keys what the viewer types, or null if there is none
   * @param pace how long to wait between steps; null waits for Enter if there is a viewer
   */
  Narrator(Screen screen, @Nullable Keys keys, @Nullable Duration pace) {
    this.screen = screen;
    this.keys = keys;
    this.pace = pace;
  }

  void heading(String text) {
    screen.heading(text);
  }

  void say(String text) {
    text.lines().forEach(screen::line);
  }

  /** On a terminal the table is there all the time. */
  void show(Fleet fleet) {
    if (!screen.live()) {
      List<String> rows = FleetTable.of(fleet);
      screen.lines(rows);
    }
  }

  /** Lets the viewer read; says what comes next. */
  void pause(String next) {
    try {
      if (keys != null) {
        screen.prompt(
            pace == null
                ? "[Enter: " + next + "; q Enter: quit]"
                : "[next: " + next + "; q Enter: quit]");
        keys.await(pace);
        screen.prompt("");
      } else if (pace != null) {
        Keys.none().await(pace);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Quit();
    }
  }

  /** Until the viewer quits or the program is stopped. */
  void stay() {
    try {
      while (true) {
        (keys == null ? Keys.none() : keys).await(null);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (Quit quit) {
      screen.line("");
    }
  }
}

package dev.drydock.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.Terminal;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NarratorTest {
  private final StringWriter out = new StringWriter();
  private final PrintWriter writer = new PrintWriter(out);
  private final News news = new News(Clock.systemUTC());
  private final PipedWriter viewer = new PipedWriter();

  private Screen screen(boolean live) {
    return new Screen(new Terminal(writer, writer, live, live, 80, 24), live);
  }

  private Narrator watched() throws IOException {
    Screen screen = screen(true);
    Keys keys = Keys.read(new PipedReader(viewer), screen::lineTyped, news);
    return new Narrator(screen, news, keys, null);
  }

  private void type(String text) throws IOException {
    viewer.write(text);
    viewer.flush();
  }

  @Test
  void theViewerGoesOnWithEnterAndQuitsWithQ() throws IOException {
    Narrator narrator = watched();

    type("\n\n");
    narrator.pause("a plan");
    narrator.pause("a drain");
    type("q\n");

    assertThat(out.toString()).contains("[Enter: a plan; q Enter: quit]");
    assertThatThrownBy(() -> narrator.pause("more")).isInstanceOf(Quit.class);
    assertThatThrownBy(() -> narrator.say("more")).isInstanceOf(Quit.class);
  }

  @Test
  void theEndOfTheInputIsTheEnd() {
    Keys keys = Keys.read(new StringReader(""), () -> {}, news);
    Narrator narrator = new Narrator(screen(true), news, keys, null);

    assertThatThrownBy(() -> narrator.pause("a plan")).isInstanceOf(Quit.class);
  }

  @Test
  void theViewerIsNotAskedForWhatHasHappened() throws IOException {
    watched().pause("give the budget room", () -> true);

    assertThat(out.toString()).isEmpty();
  }

  @Test
  void itGoesOnWhenItHappensMeanwhile() throws Exception {
    boolean[] happened = new boolean[1];
    Narrator narrator = watched();
    Thread somebodyElse =
        Thread.ofVirtual()
            .start(
                () -> {
                  happened[0] = true;
                  news.tell();
                });

    narrator.pause("give the budget room", () -> happened[0]);

    somebodyElse.join();
    assertThat(happened[0]).isTrue();
  }

  @Test
  void atAPaceItGoesOnByItself() {
    Narrator narrator = new Narrator(screen(false), news, null, Duration.ofMillis(1));

    narrator.pause("a plan");

    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aClusterThatIsKeptStaysUntilTheViewerQuits() throws IOException {
    Narrator narrator = watched();
    type("\n\nq\n");

    assertThatThrownBy(narrator::stay).isInstanceOf(Quit.class);
  }

  @Test
  void aViewerWhoQuitsIsHeardDuringACheck() throws IOException {
    Checks checks = new Checks(screen(true), watched(), news, Duration.ofHours(1));
    type("q\n");

    assertThatThrownBy(() -> checks.check("it is so", "yes", () -> "no")).isInstanceOf(Quit.class);
  }

  @Test
  void aCheckThatWaitsSaysForWhatAndTakesItBack() {
    Narrator narrator = new Narrator(screen(true), news, null, null);
    Checks checks = new Checks(screen(true), narrator, news, Duration.ofMillis(1));

    assertThatThrownBy(() -> checks.checkAtLeast("many are ready", 6, () -> 4))
        .isInstanceOf(CheckFailed.class)
        .hasMessage("many are ready: expected 6 or more, found 4");

    assertThat(out.toString())
        .containsSubsequence(
            "[waiting for: many are ready: expected 6 or more, found 4; q Enter: quit]",
            "failed: many are ready: expected 6 or more, found 4")
        .doesNotEndWith("quit]\n");
  }
}

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

class DemoPresenterTest {
  private final StringWriter out = new StringWriter();
  private final PrintWriter writer = new PrintWriter(out);
  private final ChangeCounter changes = new ChangeCounter(Clock.systemUTC());
  private final PipedWriter viewer = new PipedWriter();

  private Screen screen(boolean live) {
    return new Screen(new Terminal(writer, writer, live, live, 80, 24), live);
  }

  private DemoPresenter watched() throws IOException {
    Screen screen = screen(true);
    Keys keys = Keys.read(new PipedReader(viewer), screen::lineTyped, changes);
    return new DemoPresenter(screen, changes, keys, null);
  }

  private void type(String text) throws IOException {
    viewer.write(text);
    viewer.flush();
  }

  @Test
  void theViewerGoesOnWithEnterAndQuitsWithQ() throws IOException {
    DemoPresenter presenter = watched();

    type("\n\n");
    presenter.pause("a plan");
    presenter.pause("a drain");
    type("q\n");

    assertThat(out.toString()).contains("[Enter: a plan; q Enter: quit]");
    assertThatThrownBy(() -> presenter.pause("more")).isInstanceOf(Quit.class);
    assertThatThrownBy(() -> presenter.say("more")).isInstanceOf(Quit.class);
  }

  @Test
  void theEndOfTheInputIsTheEnd() {
    Keys keys = Keys.read(new StringReader(""), () -> {}, changes);
    DemoPresenter presenter = new DemoPresenter(screen(true), changes, keys, null);

    assertThatThrownBy(() -> presenter.pause("a plan")).isInstanceOf(Quit.class);
  }

  @Test
  void theViewerIsNotAskedForWhatHasHappened() throws IOException {
    watched().pause("give the budget room", () -> true);

    assertThat(out.toString()).isEmpty();
  }

  @Test
  void itGoesOnWhenItHappensMeanwhile() throws Exception {
    boolean[] happened = new boolean[1];
    DemoPresenter presenter = watched();
    Thread somebodyElse =
        Thread.ofVirtual()
            .start(
                () -> {
                  happened[0] = true;
                  changes.changed();
                });

    presenter.pause("give the budget room", () -> happened[0]);

    somebodyElse.join();
    assertThat(happened[0]).isTrue();
  }

  @Test
  void atAPaceItGoesOnByItself() {
    DemoPresenter presenter = new DemoPresenter(screen(false), changes, null, Duration.ofMillis(1));

    presenter.pause("a plan");

    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aClusterThatIsKeptStaysUntilTheViewerQuits() throws IOException {
    DemoPresenter presenter = watched();
    type("\n\nq\n");

    assertThatThrownBy(presenter::stay).isInstanceOf(Quit.class);
  }

  @Test
  void aViewerWhoQuitsIsHeardDuringACheck() throws IOException {
    Checks checks = new Checks(screen(true), watched(), changes, Duration.ofHours(1));
    type("q\n");

    assertThatThrownBy(() -> checks.check("it is so", "yes", () -> "no")).isInstanceOf(Quit.class);
  }

  @Test
  void aCheckThatWaitsSaysForWhatAndTakesItBack() {
    DemoPresenter presenter = new DemoPresenter(screen(true), changes, null, null);
    Checks checks = new Checks(screen(true), presenter, changes, Duration.ofMillis(1));

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

package dev.drydock.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.Terminal;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final String UP = "\u001b[%dA\r\u001b[J";

  private final StringWriter out = new StringWriter();
  private final PrintWriter writer = new PrintWriter(out);

  private Screen screen(boolean live) {
    return new Screen(new Terminal(writer, writer, live, live, 20), live);
  }

  @Test
  void theTableMovesAlongBelowTheLines() {
    Screen screen = screen(true);

    screen.table(List.of("NODE", "a-row-that-is-much-too-long"));
    screen.line("hello");

    assertThat(out.toString())
        .isEqualTo(
            "\nNODE\na-row-that-is-much…\n"
                + UP.formatted(3)
                + "hello\n\nNODE\na-row-that-is-much…\n");
  }

  @Test
  void theEnterOfTheViewerIsClearedToo() {
    Screen screen = screen(true);
    screen.prompt("[Enter]");
    out.getBuffer().setLength(0);

    screen.lineTyped();
    screen.prompt("");

    assertThat(out.toString()).isEqualTo(UP.formatted(3));
  }

  @Test
  void withoutATerminalThereAreLinesOnly() {
    Screen screen = screen(false);

    screen.table(List.of("NODE"));
    screen.prompt("[Enter]");
    screen.line("hello");

    assertThat(out.toString()).isEqualTo("hello\n");
  }

  @Test
  void theLinesOfACommandAreShownAndHeard() {
    Screen screen = screen(false);
    List<String> heard = new ArrayList<>();
    PrintWriter command = screen.writer(heard::add);

    command.print("node/a ");
    command.printf("drained%nnode/b");
    command.flush();

    assertThat(out.toString()).isEqualTo("node/a drained\n");
    assertThat(heard).containsExactly("node/a drained");
  }

  @Test
  void aMutedScreenSaysNothing() {
    Screen screen = screen(true);
    screen.mute();

    screen.line("hello");
    screen.table(List.of("NODE"));
    screen.prompt("[Enter]");

    assertThat(out.toString()).isEmpty();
  }

  @Test
  void theViewerGoesOnWithEnterAndQuitsWithQ() {
    Narrator narrator =
        new Narrator(screen(true), Keys.read(new StringReader("\n\nq\n"), () -> {}), null);

    narrator.pause("a plan");
    narrator.pause("a drain");

    assertThat(out.toString()).contains("[Enter: a plan; q Enter: quit]");
    assertThatThrownBy(() -> narrator.pause("more")).isInstanceOf(Quit.class);
  }

  @Test
  void atAPaceItGoesOnByItself() {
    Narrator narrator = new Narrator(screen(false), null, Duration.ofMillis(1));

    narrator.pause("a plan");

    assertThat(out.toString()).isEmpty();
  }
}

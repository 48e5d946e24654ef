package dev.drydock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.cli.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final String UP = "\u001b[%dA\r\u001b[J";

  private final StringWriter out = new StringWriter();
  private final PrintWriter writer = new PrintWriter(out);

  private Screen screen(boolean live) {
    return new Screen(new Terminal(writer, writer, live, live, 20, 24), live);
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
  void onATerminalLinesAreBrokenBetweenWords() {
    screen(true).line("node/a waits: a budget allows no eviction");

    assertThat(out.toString()).isEqualTo("node/a waits: a\n  budget allows no\n  eviction\n");
  }

  @Test
  void whatIsToBeCopiedIsNeverBroken() {
    Screen screen = screen(true);

    screen.exact("  export KUBECONFIG=/a/path/that/is/long");
    screen.command(List.of("drydock", "cordon", "--reason", "'new disk'"));

    assertThat(out.toString())
        .isEqualTo(
            """
              export KUBECONFIG=/a/path/that/is/long
            $ drydock cordon \\
                --reason \\
                'new disk'
            """);
  }

  @Test
  void elsewhereOnlySentencesAreBroken() {
    Screen screen = screen(false);

    screen.line("node/a waits: a budget allows no eviction");
    screen.command(List.of("drydock", "cordon", "--reason", "'new disk'"));
    screen.prose("Twelve nodes\n  in three zones, and more.");

    assertThat(out.toString())
        .isEqualTo(
            """
            node/a waits: a budget allows no eviction
            $ drydock cordon --reason 'new disk'
            Twelve nodes in
            three zones, and
            more.
            """);
  }

  @Test
  void aPromptTakesThreeLinesAtMost() {
    Screen screen = screen(true);

    screen.prompt("[waiting for: a-name-that-is-much-too-long: expected 2, found 1]");
    screen.prompt("");

    assertThat(out.toString())
        .isEqualTo("\n[waiting for:\n  a-name-that-is-m…\n  expected 2, found\n" + UP.formatted(4));
  }

  @Test
  void afterCtrlCTheNextPromptHasALineOfItsOwn() {
    Screen screen = screen(true);

    screen.leave();
    screen.leave();

    assertThat(out.toString()).isEqualTo("\n");
  }
}

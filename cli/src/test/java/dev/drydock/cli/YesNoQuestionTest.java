package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YesNoQuestionTest {
  private final StringWriter screen = new StringWriter();

  private Optional<Boolean> ask(Optional<String> typed) {
    return new YesNoQuestion(typed.<Reader>map(StringReader::new))
        .ask(new PrintWriter(screen), "Return it?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"y\n", "yes\n", " YES \n"})
  void onlyYesIsYes(String typed) {
    assertThat(ask(Optional.of(typed))).contains(true);
    assertThat(screen).hasToString("Return it? [y/N] ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "n\n", "yeah\n", "no\ny\n"})
  void anythingElseIsNo(String typed) {
    assertThat(ask(Optional.of(typed))).contains(false);
  }

  @Test
  void withoutATerminalNobodyIsAsked() {
    assertThat(ask(Optional.empty())).isEmpty();
    assertThat(screen.toString()).isEmpty();
  }
}

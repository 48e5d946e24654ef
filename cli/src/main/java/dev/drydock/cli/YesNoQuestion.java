package dev.drydock.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Asks a person at the terminal; where nobody sits at one, there is no answer. */
public final class YesNoQuestion {
  private static final Set<String> YES = Set.of("y", "yes");

  private final Optional<BufferedReader> person;

  /** Whoever sits at the terminal of this process. */
  public YesNoQuestion() {
    this(Optional.ofNullable(System.console()).filter(Console::isTerminal).map(Console::reader));
  }

  YesNoQuestion(Optional<Reader> person) {
    this.person = person.map(BufferedReader::new);
  }

  /** Only yes is yes: not an empty line, and not the end of the input. Absent without terminal. */
  public Optional<Boolean> ask(PrintWriter screen, String question) {
    return person.map(
        reader -> {
          screen.print(question + " [y/N] ");
          screen.flush();
          return isYes(reader);
        });
  }

  private static boolean isYes(BufferedReader reader) {
    try {
      String line = reader.readLine();
      return line != null && YES.contains(line.strip().toLowerCase(Locale.ROOT));
    } catch (IOException lost) {
      throw new UncheckedIOException("the terminal is lost", lost);
    }
  }
}

package dev.drydock.simulate.fleet;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Describes invalid YAML or JSON in one line: where, what was expected, what was found. */
final class SyntaxMistake {
  /** Readable names for the parser's tokens. */
  private static final Map<String, String> WORDS =
      Map.of(
          "<block end>", "a line that is indented like those before it",
          "<block mapping start>", "a line that is indented further",
          "<block sequence start>", "a list that is indented further",
          "<block mapping end>", "the end of the fields",
          "<document start>", "the beginning of the file",
          "<stream end>", "the end of the file",
          "<scalar>", "a value",
          "<anchor>", "an anchor",
          "<alias>", "an alias",
          "mapping values are not allowed here",
              "expected no ':' here; is the indentation right, or are quotes missing around the value?");

  private SyntaxMistake() {}

  static String line(JsonProcessingException malformed) {
    return Stream.iterate((Throwable) malformed, Objects::nonNull, Throwable::getCause)
        .filter(MarkedYAMLException.class::isInstance)
        .map(MarkedYAMLException.class::cast)
        .filter(yaml -> yaml.getProblem() != null)
        .findFirst()
        .map(SyntaxMistake::ofYaml)
        .orElseGet(() -> at(malformed.getLocation()) + firstLine(malformed.getOriginalMessage()));
  }

  private static String ofYaml(MarkedYAMLException yaml) {
    String what = firstLine(yaml.getProblem());
    for (Map.Entry<String, String> word : WORDS.entrySet()) {
      what = what.replace("'" + word.getKey() + "'", word.getValue());
      what = what.replace(word.getKey(), word.getValue());
    }
    Mark mark = yaml.getProblemMark();
    String where =
        mark == null
            ? ""
            : "line %d, column %d: ".formatted(mark.getLine() + 1, mark.getColumn() + 1);
    Mark began = yaml.getContextMark();
    boolean told = began == null || (mark != null && began.getLine() == mark.getLine());
    return where
        + what
        + (told
            ? ""
            : " (" + yaml.getContext() + " that begins in line %d)".formatted(began.getLine() + 1));
  }

  private static String at(JsonLocation place) {
    return place == null
        ? ""
        : "line %d, column %d: ".formatted(place.getLineNr(), place.getColumnNr());
  }

  private static String firstLine(String text) {
    return String.valueOf(text).lines().findFirst().orElse("");
  }
}
